import type { QueryClient } from "@tanstack/react-query";
import type { Language } from "../../../db/shapes/language.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { userQuery, patchUser } from "../../api/queries/user.ts";
import { changeLocale, currentLocale } from "./locale.ts";

let latest: Language | null = null;
let storing: Promise<void> = Promise.resolve();

/**
 * Shows the page in the language of the driver's record, from whichever device it was chosen on: when the record is first
 * known, and whenever it says something new. A record that only says again what it said changes nothing, so that a choice
 * that could not be stored holds until the page is loaded again.
 */
export function followRecordLanguage(queryClient: QueryClient): void {
  let seen: Language | null = null;
  queryClient.getQueryCache().subscribe(() => {
    const language = recordLanguage(queryClient);
    if (language === seen) return;
    seen = language;
    if (language !== null && language !== currentLocale()) changeLocale(language);
  });
}

/** Null where there is no record, or it is not known yet. */
function recordLanguage(queryClient: QueryClient): Language | null {
  return queryClient.getQueryData<User | null>(userQuery.queryKey)?.language ?? null;
}

/**
 * Stores the language that the driver chose in their record; a failure is only logged. One call after the other, so that
 * the latest choice is what stays, and only what answers it is shown: an earlier answer would turn the page back.
 */
export function storeLanguage(queryClient: QueryClient, language: Language): Promise<void> {
  latest = language;
  storing = storing.then(() => (latest === language ? store(queryClient, language) : undefined));
  return storing;
}

async function store(queryClient: QueryClient, language: Language): Promise<void> {
  try {
    // Writes on their way are from before the choice.
    await queryClient.cancelQueries(userQuery);
    const user = await patchUser({ language, updateLanguage: true });
    if (latest === language) cacheResponse(queryClient, userQuery, user);
  } catch (error) {
    // oxlint-disable-next-line no-console -- a failure to store the language is only logged
    console.warn("language.update.failed", error instanceof Error ? error.message : "unknown");
  }
}
