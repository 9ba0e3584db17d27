import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import { filters, type Filters } from "../../../db/shapes/filters.ts";
import { sessionStore } from "../../api/session.ts";
import { draftSchema, type Draft } from "./draft.ts";

const STORAGE_KEY = "filters-draft";

const storedDraftSchema = z.object({
  username: z.string(),
  version: z.int(),
  base: filters,
  draft: draftSchema,
});

/** What the driver changed and did not save yet, with the saved filters that it started from. */
export type StoredDraft = { version: number; base: Filters; draft: Draft };

/**
 * Outlives the screen and the page: changes are never lost by leaving. A store, and not the state of a form:
 * two screens edit the same draft, it exists without either of them, and saving merges it with what another
 * tab or device saved in the meantime.
 */
export const draftStore = createStore<StoredDraft | null>(null);

let draftOwner = sessionStore.get()?.username;
// Another driver's draft is nobody's business: it waits in the device's storage for its owner.
sessionStore.subscribe((session) => {
  if (session?.username === draftOwner) return;
  draftOwner = session?.username;
  draftStore.setState(loadDraft);
});

/** What this tab last wrote: another tab's draft is not ours to take away. */
let lastWritten: string | null = null;

export function saveDraft(next: StoredDraft | null): void {
  draftStore.setState(() => next);
  try {
    if (next && draftOwner) {
      lastWritten = JSON.stringify({ username: draftOwner, ...next });
      localStorage.setItem(STORAGE_KEY, lastWritten);
      sessionStorage.setItem(STORAGE_KEY, lastWritten);
    } else {
      sessionStorage.removeItem(STORAGE_KEY);
      if (localStorage.getItem(STORAGE_KEY) === lastWritten) localStorage.removeItem(STORAGE_KEY);
    }
  } catch {
    // Without storage the draft lives as long as the page.
  }
}

/** Takes up what this tab, or else an earlier visit, left, once it is known who is signed in. */
export function restoreDraft(): void {
  if (draftStore.get() === null) draftStore.setState(loadDraft);
}

function loadDraft(): StoredDraft | null {
  try {
    lastWritten = sessionStorage.getItem(STORAGE_KEY) ?? localStorage.getItem(STORAGE_KEY);
    const parsed = z.safeParse(storedDraftSchema, JSON.parse(lastWritten ?? "null"));
    if (!parsed.success || parsed.data.username !== draftOwner) return null;
    const { version, base, draft } = parsed.data;
    return { version, base, draft };
  } catch {
    return null;
  }
}
