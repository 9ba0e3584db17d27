import { isRecord, type Upcast } from "../../../../db/shapes/versioned.ts";

const EVERY_CHANNEL = { text: true, push: true };

/** What a driver had who never chose, when choosing began. Fixed: later defaults are later versions' business. */
const FIRST_PREFERENCES = {
  captured: EVERY_CHANNEL,
  needs_you: EVERY_CHANNEL,
  service: EVERY_CHANNEL,
  silence: { text: false, push: true },
  quietHours: null,
};

/** Before drivers could choose how they are notified, nothing of it was stored. */
export const upcastOwnerV0: Upcast = (stored) =>
  isRecord(stored) ? { notifications: FIRST_PREFERENCES, ...stored } : stored;
