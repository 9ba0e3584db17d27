import type { Plant } from "./plant.ts";

/** Of the log that a replay reads. */
export const REPLAY_PLANTS: readonly Plant[] = [
  {
    name: "the log of listings does not keep that an offer pays more",
    patches: [
      {
        file: "durable/driver/logs/listing-log.ts",
        find: `  return [payCents, startsAt, endsAt, warehouseId, serviceType, currency].join(" ");`,
        replace: `  return [payCents > 0, startsAt, endsAt, warehouseId, serviceType, currency].join(" ");`,
      },
    ],
    expect: /a replay takes what was taken \/ not taken by the replay/,
  },
];
