import { takeCityIncreases } from "../../db/queries/fleet/metric-hours.ts";
import { CITY_FIELDS } from "../../db/shapes/city-counts.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";

/** The hours whose counts may still grow: objects report what they counted within a quarter of an hour. */
const OPEN_HOURS = 2;
/** Analytics Engine takes 250 points of an invocation. */
const MOST_CITIES = 200;

export type MetricPoint = { indexes: string[]; blobs: string[]; doubles: number[] };

/**
 * Every minute, where a dataset is bound: a metric point for each city of what its drivers' objects reported since the last one.
 * The city is `blob1` and the index, by which the dataset samples; the counts are `double1` and on, in the order of
 * `CITY_FIELDS`. Nothing in it says whose they are.
 */
export async function writeMetrics(
  { db, now }: Pick<Deps, "db" | "now">,
  metrics: { writeDataPoint(point: MetricPoint): void },
): Promise<void> {
  const from = Math.floor(now() / HOUR_MS) - OPEN_HOURS;
  for (const { city, counts } of await takeCityIncreases(db, from, MOST_CITIES)) {
    metrics.writeDataPoint({
      indexes: [city],
      blobs: [city],
      doubles: CITY_FIELDS.map((field) => counts[field]),
    });
  }
}
