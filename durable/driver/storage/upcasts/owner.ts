import { isRecord, type Upcast } from "../../../../db/shapes/versioned.ts";

const EVERY_CHANNEL = { text: true, push: true };

/** The default preferences of version 1. Fixed, even if the product's defaults change. */
const FIRST_PREFERENCES = {
  captured: EVERY_CHANNEL,
  needs_you: EVERY_CHANNEL,
  service: EVERY_CHANNEL,
  silence: { text: false, push: true },
  quietHours: null,
};

/** Version 0 has no notification preferences. */
export const upcastOwnerV0: Upcast = (stored) =>
  isRecord(stored) ? { notifications: FIRST_PREFERENCES, ...stored } : stored;
