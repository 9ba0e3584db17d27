import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import { sessionStore } from "../../api/session.ts";
import { draftShape, type Draft } from "./draft.ts";

const STORAGE_KEY = "filters-draft";

const kept = z.object({ username: z.string(), version: z.int(), draft: draftShape });

/** What the driver changed and did not save yet, with the version that it started from. */
export type KeptDraft = { version: number; draft: Draft };

/** Outlives the screen, and the page too: changes are never lost by leaving. */
export const draftStore = createStore<KeptDraft | null>(null);

let owner = sessionStore.get()?.username;
// Who signs in next on this page starts with their own; what was stored waits for its driver.
sessionStore.subscribe(() => {
  const username = sessionStore.get()?.username;
  if (username !== owner) draftStore.setState(() => null);
  owner = username;
});

export function keepDraft(next: KeptDraft | null): void {
  draftStore.setState(() => next);
  const username = sessionStore.get()?.username;
  try {
    if (next && username) localStorage.setItem(STORAGE_KEY, JSON.stringify({ username, ...next }));
    else localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage the draft lives as long as the page.
  }
}

/** Takes up what an earlier visit left, once it is known who is signed in. */
export function restoreDraft(): void {
  if (draftStore.get() === null) draftStore.setState(readKept);
}

/** Another driver's draft is nobody's business. */
function readKept(): KeptDraft | null {
  try {
    const parsed = z.safeParse(kept, JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null"));
    if (!parsed.success || parsed.data.username !== sessionStore.get()?.username) return null;
    return { version: parsed.data.version, draft: parsed.data.draft };
  } catch {
    return null;
  }
}
