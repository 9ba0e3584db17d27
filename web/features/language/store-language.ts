import type { QueryClient } from "@tanstack/react-query";
import type { Language } from "../../../db/shapes/language.ts";
import { cacheResponse } from "../../api/cache/cache-response.ts";
import { patchUser, userQuery } from "../../api/queries/user.ts";

let latest: Language | null = null;
let storing: Promise<void> = Promise.resolve();

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
