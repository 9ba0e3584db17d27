import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { createStored } from "../../api/cache/storage.ts";

export const storedDismissedAnnouncements = {
  key: "jornada.announcements",
  shape: z.array(z.string()),
  upcasts: [unchanged],
};

/** How many are remembered: more than hold at a time. */
const MAX_REMEMBERED = 50;

const stored = createStored(storedDismissedAnnouncements);

/** The announcements that were closed on this device. */
export function loadDismissed(): readonly string[] {
  return stored.load() ?? [];
}

/** Remembers that an announcement was closed. @returns all that were */
export function dismiss(id: string): readonly string[] {
  const dismissed = [...new Set([...loadDismissed(), id])].slice(-MAX_REMEMBERED);
  stored.save(dismissed);
  return dismissed;
}
