import { dateFormat } from "../../../locales/format.ts";
import { DAY_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { formatTime } from "./format.ts";
import { currentLocale } from "./locale.ts";

/** From half a year away on, a day without its year may be taken for one of another year. */
const YEAR_IS_CLEAR_MS = 183 * DAY_MS;

/** As `formatTime`, and `Nov 22, 2024, 4:30 PM` in another time: for lists of what is kept for years. */
export function formatInstant(at: EpochMs, reading: { timeZone: string; now: EpochMs }): string {
  if (Math.abs(at - reading.now) < YEAR_IS_CLEAR_MS) return formatTime(at, reading);
  const { timeZone } = reading;
  return dateFormat(currentLocale(), { dateStyle: "medium", timeStyle: "short", timeZone }).format(at);
}
