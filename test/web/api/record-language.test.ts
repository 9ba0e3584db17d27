import { QueryClient } from "@tanstack/react-query";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Language } from "../../../db/shapes/language.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import * as queries from "../../../web/api/queries/user.ts";
import { followRecordLanguage, storeLanguage } from "../../../web/features/language/record-language.ts";
import { changeLocale, currentLocale } from "../../../web/features/language/locale.ts";
import { RECORD } from "../../support/driver-record.ts";

let queryClient: QueryClient;
beforeEach(() => {
  changeLocale("en");
  queryClient = new QueryClient();
  followRecordLanguage(queryClient);
});
afterEach(() => {
  queryClient.clear();
  changeLocale("en");
  vi.restoreAllMocks();
});

function recordSays(language: Language): void {
  const record: User = { ...RECORD, language };
  queryClient.setQueryData(queries.userQuery.queryKey, record);
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
  queryClient.removeQueries({ queryKey: queries.userQuery.queryKey });
  changeLocale("en");
  recordSays("pt");
  expect(currentLocale()).toBe("pt");
});

it("changes nothing where there is no record", () => {
  changeLocale("es");
  queryClient.setQueryData(queries.userQuery.queryKey, null);
  expect(currentLocale()).toBe("es");
});

it("is the latest of two quick choices, whose answers come late", async () => {
  const answers: Language[] = [];
  const shown: string[] = [];
  const { promise: isChosenTwice, resolve: answer } = Promise.withResolvers<void>();
  const withLanguage = (language: Language): User => ({ ...RECORD, language });
  vi.spyOn(queries, "patchUser").mockImplementation(async (patch) => {
    if (!("updateLanguage" in patch)) throw new Error("it is another patch");
    answers.push(patch.language);
    await isChosenTwice;
    shown.push(currentLocale());
    return withLanguage(patch.language);
  });
  const choose = (language: Language) => {
    changeLocale(language);
    return storeLanguage(queryClient, language);
  };
  recordSays("en");
  const first = choose("es");
  // It is on its way.
  await vi.waitFor(() => expect(answers).toEqual(["es"]));
  const second = choose("pt");
  answer();
  await Promise.all([first, second]);
  expect([answers, shown, currentLocale()]).toEqual([["es", "pt"], ["pt", "pt"], "pt"]);
});
