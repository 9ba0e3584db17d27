import { isRecord, type Upcast } from "../../../../db/shapes/versioned.ts";
import { DAY_MS } from "../../../../db/shapes/units.ts";

/** Version 1 knew one full week, and not for which blocks: for all. */
export const upcastWeeklyLimitV1: Upcast = (stored) => {
  if (stored === null) return [];
  if (!isRecord(stored)) return stored;
  const { endsAt } = stored;
  return [{ startsAt: Number(endsAt) - 7 * DAY_MS, minutes: 0, ...stored }];
};
