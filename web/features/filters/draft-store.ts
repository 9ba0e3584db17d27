import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import { filters, type Filters } from "../../../durable/engine/rules.ts";
import { sessionStore } from "../../api/session.ts";
import { draftShape, type Draft } from "./draft.ts";

const STORAGE_KEY = "filters-draft";

const stored = z.object({ username: z.string(), version: z.int(), base: filters, draft: draftShape });

/** What the driver changed and did not save yet, with the saved filters that it started from. */
export type KeptDraft = { version: number; base: Filters; draft: Draft };

/** Outlives the screen, and the page too: changes are never lost by leaving. */
export const draftStore = createStore<KeptDraft | null>(null);

let keptFor = sessionStore.get()?.username;
// Another driver's draft is nobody's business: it waits in the device's storage for its owner.
sessionStore.subscribe((session) => {
  if (session?.username === keptFor) return;
  keptFor = session?.username;
  draftStore.setState(readStored);
});

/** What this tab last wrote: another tab's draft is not ours to take away. */
let written: string | null = null;

export function keepDraft(next: KeptDraft | null): void {
  draftStore.setState(() => next);
  try {
    if (next && keptFor) {
      written = JSON.stringify({ username: keptFor, ...next });
      localStorage.setItem(STORAGE_KEY, written);
      sessionStorage.setItem(STORAGE_KEY, written);
    } else {
      sessionStorage.removeItem(STORAGE_KEY);
      if (localStorage.getItem(STORAGE_KEY) === written) localStorage.removeItem(STORAGE_KEY);
    }
  } catch {
    // Without storage the draft lives as long as the page.
  }
}

/** Takes up what this tab, or else an earlier visit, left, once it is known who is signed in. */
export function restoreDraft(): void {
  if (draftStore.get() === null) draftStore.setState(readStored);
}

function readStored(): KeptDraft | null {
  try {
    written = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY);
    const parsed = z.safeParse(stored, JSON.parse(written ?? "null"));
    if (!parsed.success || parsed.data.username !== keptFor) return null;
    const { version, base, draft } = parsed.data;
    return { version, base, draft };
  } catch {
    return null;
  }
}
