import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Language } from "../../db/shapes/language.ts";
import type { User } from "../../worker/contract/user.ts";
import { userQuery } from "../../web/api/queries.ts";
import { followRecordLanguage } from "../../web/features/language/follow-record-language.ts";
import { RECORD } from "../support/driver-record.ts";

let queryClient: QueryClient;
let shown: Language[];
beforeEach(() => {
  queryClient = new QueryClient();
  shown = [];
  followRecordLanguage(queryClient, (language) => shown.push(language));
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
  expect(shown).toEqual(["pt"]);
});

it("is the page's when it was changed on another device", () => {
  recordSays("en");
  recordSays("es");
  expect(shown).toEqual(["en", "es"]);
});

it("leaves the page alone when it only says again what it said", () => {
  recordSays("en");
  recordSays("en");
  expect(shown).toEqual(["en"]);
});

it("decides for the next driver on this device, too", () => {
  recordSays("pt");
  queryClient.removeQueries({ queryKey: userQuery.queryKey });
  recordSays("pt");
  expect(shown).toEqual(["pt", "pt"]);
});

it("changes nothing where there is no record", () => {
  queryClient.setQueryData(userQuery.queryKey, null);
  expect(shown).toEqual([]);
});
