import { isRecord, type Upcast } from "../../../../db/shapes/versioned.ts";

const EVERY_CHANNEL = { text: true, push: true };

/** The defaults at the time preferences were introduced. They don't follow later changes of the defaults. */
const FIRST_PREFERENCES = {
  captured: EVERY_CHANNEL,
  needs_you: EVERY_CHANNEL,
  service: EVERY_CHANNEL,
  silence: { text: false, push: true },
  quietHours: null,
};

/** The first owners were stored without notification preferences. */
export const upcastOwnerV0: Upcast = (stored) =>
  isRecord(stored) ? { notifications: FIRST_PREFERENCES, ...stored } : stored;
