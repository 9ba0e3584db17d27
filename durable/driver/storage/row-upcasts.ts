import * as z from "zod/mini";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { isRecord, renameKey, type Upcast } from "../../../db/shapes/versioned.ts";
import { upcastTextAboutV1 } from "./text-about.ts";

/** Version 0 called `thresholdsMs` `leftMs`. */
export const upcastExpiryWarningsV0: Upcast = (stored) => renameKey(stored, "leftMs", "thresholdsMs");

const listPartsV1 = z.nullable(z.object({ size: z.int(), read: z.int() }));

/** Version 1 counted parts instead of warehouses, and not what they held: the next poll begins with the first warehouse. */
export function upcastListPartsV1(value: unknown): unknown {
  const parts = z.parse(listPartsV1, value);
  return parts && { size: parts.size, read: 0, length: 0 };
}

/** Version 0 called the `body` of a text `words`. */
export const upcastOutboxItemV0: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text" ? renameKey(stored, "words", "body") : stored;

/** Version 2 doesn't say how many notifications a text tells of: what a digest summed up is not known any more. */
export const upcastOutboxItemV2: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text" ? { ...stored, notifications: 1 } : stored;

/** Version 3 has a text's words, and not what it is about. */
export const upcastOutboxItemV3: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text" ? { ...stored, about: null } : stored;

/** Version 4 has texts about captures that don't say where the block is. */
export const upcastOutboxItemV4: Upcast = (stored) =>
  isRecord(stored) && stored["kind"] === "text"
    ? { ...stored, about: upcastTextAboutV1(stored["about"]) }
    : stored;

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

/** Version 1 doesn't say in which sign-in a browser was subscribed. Such a one ends with the next sign-in that does. */
export const upcastPushSubscriptionV1: Upcast = (stored) =>
  isRecord(stored) ? { ...stored, session: null } : stored;

/** Version 1 counted urgent texts among the others. */
export const upcastTextDayV1: Upcast = (stored) => (isRecord(stored) ? { urgent: 0, ...stored } : stored);

/** Version 1 doesn't say whether the driver was notified: nobody was. */
export const upcastThrottleV1: Upcast = (stored) =>
  isRecord(stored) ? { ...stored, isNotified: false } : stored;

/** Version 1 did not say since when the platform asks for it: long enough to be asked about once a minute. */
export const upcastVerificationV1: Upcast = (stored) => (isRecord(stored) ? { since: 0, ...stored } : stored);

/** Version 1 knew one full week, and not for which blocks: for all. */
export const upcastWeeklyLimitV1: Upcast = (stored) => {
  if (stored === null) return [];
  if (!isRecord(stored)) return stored;
  const { endsAt } = stored;
  return [{ startsAt: Number(endsAt) - 7 * DAY_MS, minutes: 0, ...stored }];
};
