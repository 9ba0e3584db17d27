import type { QueryClient } from "@tanstack/react-query";
import type { Language } from "../../../db/shapes/language.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { userQuery } from "../../api/queries/user.ts";
import { changeLocale, currentLocale } from "./locale.ts";

/**
 * Shows the page in the language of the driver's record, from whichever device it was chosen on: when the record is first
 * known, and whenever it says something new. A record that only says again what it said changes nothing, so that a choice
 * that could not be stored holds until the page is loaded again.
 */
export function followRecordLanguage(queryClient: QueryClient): void {
  let seen: Language | null = null;
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (query.queryKey[0] !== userQuery.queryKey[0] || (type !== "updated" && type !== "removed")) return;
    const language = type === "removed" ? null : recordLanguage(queryClient);
    if (language === seen) return;
    seen = language;
    if (language !== null && language !== currentLocale()) changeLocale(language);
  });
}

/** Null where there is no record, or it is not known yet. */
function recordLanguage(queryClient: QueryClient): Language | null {
  return queryClient.getQueryData<User | null>(userQuery.queryKey)?.language ?? null;
}
