import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Language } from "../../db/shapes/language.ts";
import type { User } from "../../worker/contract/user.ts";
import { userQuery } from "../../web/api/queries.ts";
import { followRecordLanguage } from "../../web/features/language/follow-record-language.ts";
import { changeLocale, currentLocale } from "../../web/features/language/locale.ts";
import { RECORD } from "../support/driver-record.ts";

let queryClient: QueryClient;
beforeEach(() => {
  changeLocale("en");
  queryClient = new QueryClient();
  followRecordLanguage(queryClient);
});
afterEach(() => {
  queryClient.clear();
});

function recordSays(language: Language): void {
  const record: User = { ...RECORD, language };
  queryClient.setQueryData(userQuery.queryKey, record);
}

it("is the page's as soon as the record is known", () => {
  recordSays("pt");
  expect(currentLocale()).toBe("pt");
});

it("is the page's when it was changed on another device", () => {
  recordSays("en");
  recordSays("es");
  expect(currentLocale()).toBe("es");
});

it("leaves the page alone when it only says again what it said", () => {
  recordSays("en");
  changeLocale("es");
  recordSays("en");
  expect(currentLocale()).toBe("es");
});

it("decides for the next driver on this device, too", () => {
  recordSays("pt");
  queryClient.removeQueries({ queryKey: userQuery.queryKey });
  changeLocale("en");
  recordSays("pt");
  expect(currentLocale()).toBe("pt");
});

it("changes nothing where there is no record", () => {
  changeLocale("es");
  queryClient.setQueryData(userQuery.queryKey, null);
  expect(currentLocale()).toBe("es");
});
