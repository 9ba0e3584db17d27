import { storeLostDay } from "../../../db/queries/payments/lost-days.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { dateOfDay, dayOfDate, type LocalDate } from "../../../db/shapes/work/local-date.ts";
import { MINUTE_MS, type DurationMs } from "../../../db/shapes/units.ts";
import type { Deps } from "../../deps.ts";
import { endOfDate } from "../../engine/lost-time.ts";

/** Takes a day that is over to D1, which gives back what was lost of it if it was long. @returns how much */
export async function settleLostDay(
  { db, config, now }: Pick<Deps, "db" | "config" | "now">,
  { owner, date, lostMs }: { owner: DriverOwner; date: LocalDate; lostMs: DurationMs },
): Promise<DurationMs> {
  const to = endOfDate(date, owner.timeZone);
  const { daysBackMinutes } = config;
  return storeLostDay(db, {
    driverId: owner.driverId,
    date,
    lostMs,
    day: { from: endOfDate(dateOfDay(dayOfDate(date) - 1), owner.timeZone), to },
    fromMs: daysBackMinutes === null ? null : daysBackMinutes * MINUTE_MS,
    now: now(),
  });
}
