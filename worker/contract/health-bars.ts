import type { CityDayHealth } from "./platform-health.ts";
import type { CityState } from "../../db/shapes/city-health.ts";

/** The drawing of the last 30 days, in its own units. */
export const BARS_WIDTH = 298;
export const BARS_HEIGHT = 32;
const STEP = 10;
const BAR = 8;

/** How high a day's bar is: told apart without colours. */
const HEIGHTS: Record<CityState, number> = { working: BARS_HEIGHT, slow: 20, down: 10, unknown: 2 };

/** The bars of the days of a state, as the data of an SVG path: a page's policy forbids styles in its HTML. */
export function healthBars(days: readonly CityDayHealth[], state: CityState): string {
  return days
    .flatMap((day, index) =>
      day.state === state
        ? [`M${index * STEP} ${BARS_HEIGHT}v-${HEIGHTS[state]}h${BAR}v${HEIGHTS[state]}z`]
        : [],
    )
    .join("");
}

/** The last day with trouble; null if there was none in the days that are known. */
export function lastTrouble(days: readonly CityDayHealth[]): CityDayHealth | null {
  return days.findLast(({ state }) => state === "slow" || state === "down") ?? null;
}
