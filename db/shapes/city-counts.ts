/**
 * The events that are counted by city and hour. `lookedSeconds`: time between answered polls, of all drivers. `offers`: each
 * driver's first sight of one. `matches`: those that the driver's filters wanted. `refused`: calls that the platform refused
 * (401, 403, 429). `failed`: calls without a usable answer. `softBlocks`: suspicions of drivers' objects.
 */
export const CITY_FIELDS = [
  "lookedSeconds",
  "offers",
  "matches",
  "captures",
  "losses",
  "answered",
  "refused",
  "failed",
  "softBlocks",
] as const;
export type CityField = (typeof CITY_FIELDS)[number];

/** The last instant of what is counted; 0 where there was none. */
export const CITY_INSTANTS = ["callAt", "offerAt", "matchAt", "captureAt", "lossAt"] as const;
export type CityInstant = (typeof CITY_INSTANTS)[number];

/** The counts of a city in an hour, and its last instants. */
export type CityCounts = Record<CityField | CityInstant, number>;

/** Counts of nothing. */
export function emptyCityCounts(): CityCounts {
  return {
    lookedSeconds: 0,
    offers: 0,
    matches: 0,
    captures: 0,
    losses: 0,
    answered: 0,
    refused: 0,
    failed: 0,
    softBlocks: 0,
    callAt: 0,
    offerAt: 0,
    matchAt: 0,
    captureAt: 0,
    lossAt: 0,
  };
}

/** Adds counts to others, in place. */
export function addCityCounts(sum: CityCounts, counts: Partial<CityCounts>): void {
  for (const field of CITY_FIELDS) sum[field] += counts[field] ?? 0;
  for (const instant of CITY_INSTANTS) sum[instant] = Math.max(sum[instant], counts[instant] ?? 0);
}

/** The instant at which something is counted, by its field; undefined where none is stored. */
export const INSTANT_OF: Partial<Record<CityField, CityInstant>> = {
  offers: "offerAt",
  matches: "matchAt",
  captures: "captureAt",
  losses: "lossAt",
  answered: "callAt",
  refused: "callAt",
  failed: "callAt",
};
