import { DAY_MS } from "../../../db/shapes/units.ts";
import { OTHER_CITY } from "../../../db/shapes/money/spots.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { dayOfDate } from "../../../db/shapes/work/local-date.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatDate, formatUntil } from "../../../locales/format.ts";
import { healthBars, lastTrouble } from "../../contract/health-bars.ts";
import type { CityHealthNow, PlatformHealthResponse } from "../../contract/platform-health.ts";
import { SERVED_PARTS } from "../../contract/served-cases.ts";
import type { Served, ServedRow } from "./served-cases.ts";

/** The platform's health in each city; that nothing is known, where nothing is. */
export function servedHealth(
  { cities }: PlatformHealthResponse,
  { language, now }: { language: Language; now: number },
): Served {
  const part = SERVED_PARTS.health;
  const rows = cities.map((city): ServedRow => {
    const { days } = city;
    const trouble = lastTrouble(days);
    const day = trouble && formatDate(language, dayOfDate(trouble.date) * DAY_MS, "UTC");
    return {
      form: city.state,
      facts: new Map([
        ["city", city.city === OTHER_CITY ? formatMessage(language, "city_other") : city.city],
        ["state", stateText(city, { language, now })],
        [
          "trouble",
          day === null
            ? formatMessage(language, "health_no_trouble")
            : formatMessage(language, "health_last_trouble", { day }),
        ],
        ["bars-working", healthBars(days, "working")],
        ["bars-slow", healthBars(days, "slow")],
        ["bars-down", healthBars(days, "down")],
        ["bars-unknown", healthBars(days, "unknown")],
      ]),
    };
  });
  return {
    cases: new Map([[part, rows.length > 0 ? "listed" : "none"]]),
    facts: new Map(),
    lists: new Map([[part, rows]]),
  };
}

function stateText(
  { state, since, isOurs, timeZone }: CityHealthNow,
  { language, now }: { language: Language; now: number },
): string {
  const slots = { since: formatUntil(language, since, { timeZone, now }) };
  if (state === "working") return formatMessage(language, "health_working");
  if (state === "unknown") return formatMessage(language, "health_unknown_now");
  if (isOurs) return formatMessage(language, "health_ours_since", slots);
  return formatMessage(language, state === "slow" ? "health_slow_since" : "health_down_since", slots);
}
