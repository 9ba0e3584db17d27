import { createStore } from "@tanstack/react-store";
import * as z from "zod/mini";
import { filters, type Filters } from "../../../db/shapes/work/filters.ts";
import { isRecord, unchanged, type Upcast } from "../../../db/shapes/versioned.ts";
import { sessionStore } from "../../api/session/session.ts";
import { createStored } from "../../api/cache/storage.ts";
import { draftSchema, type Draft } from "./draft.ts";

const DRAFT_KEY = "filters-draft";

/** The first drafts were stored without `base`. */
const upcastDraftV0: Upcast = (stored) =>
  isRecord(stored) ? { ...stored, base: z.safeParse(filters, stored["base"]).data ?? null } : stored;

/** For a while limits were bare figures, null where there was none. */
const upcastDraftV2: Upcast = (stored) => {
  if (!isRecord(stored) || !isRecord(stored["draft"]) || !isRecord(stored["draft"]["limits"])) return stored;
  const limits = Object.entries(stored["draft"]["limits"]).map(([limit, figure]) => [
    limit,
    { isOn: figure !== null, figure },
  ]);
  return { ...stored, draft: { ...stored["draft"], limits: Object.fromEntries(limits) } };
};

export const storedDraft = {
  shape: z.object({
    username: z.string(),
    /** The version of the filters that the draft started from, not of this shape. */
    version: z.int(),
    base: z.nullable(filters),
    draft: draftSchema,
  }),
  upcasts: [upcastDraftV0, unchanged, upcastDraftV2],
};
const inTab = createStored({ key: DRAFT_KEY, area: () => sessionStorage, ...storedDraft });
const onDevice = createStored({ key: DRAFT_KEY, ...storedDraft });

/**
 * The driver's unsaved changes, with the saved filters that they started from; null where those aren't known,
 * as in a draft of an early build.
 */
export type StoredDraft = { version: number; base: Filters | null; draft: Draft };

/**
 * Outlives the screen and the page: changes are never lost by leaving. A store, and not the state of a form:
 * two screens edit the same draft, it exists without either of them, and saving merges it with what another
 * tab or device saved in the meantime.
 */
export const draftStore = createStore<StoredDraft | null>(null);

let draftOwner = sessionStore.get()?.username;
// Another driver's draft isn't shown: it stays in storage for its owner.
sessionStore.subscribe((session) => {
  if (session?.username === draftOwner) return;
  draftOwner = session?.username;
  draftStore.setState(loadDraft);
});

/** This tab's last write, so that it never removes another tab's draft. */
let lastWritten = "null";

export function saveDraft(next: StoredDraft | null): void {
  draftStore.setState(() => next);
  // Without storage the draft lives as long as the page.
  if (next && draftOwner) {
    const stored = { username: draftOwner, ...next };
    onDevice.save(stored);
    inTab.save(stored);
    lastWritten = JSON.stringify(onDevice.load());
  } else {
    inTab.remove();
    if (JSON.stringify(onDevice.load()) === lastWritten) onDevice.remove();
  }
}

/** Restores the draft of this tab, or else of an earlier visit. Call it once the driver is known. */
export function restoreDraft(): void {
  if (draftStore.get() === null) draftStore.setState(loadDraft);
}

function loadDraft(): StoredDraft | null {
  const stored = inTab.load() ?? onDevice.load();
  lastWritten = JSON.stringify(stored);
  if (!stored || stored.username !== draftOwner) return null;
  const { version, base, draft } = stored;
  return { version, base, draft };
}
