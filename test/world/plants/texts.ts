import type { Plant } from "./plant.ts";

/** Of storms of texts. */
export const TEXT_PLANTS: readonly Plant[] = [
  {
    name: "a kind of text goes out again as soon as it is true again",
    isOfFleet: true,
    patches: [
      {
        file: "durable/driver/notify/told.ts",
        find: `if (fresh.some(([known]) => known === subject)) return null;`,
        replace: ``,
      },
    ],
    expect: /no storm of texts/,
  },
  {
    name: "a driver's texts of the day aren't counted",
    isOfFleet: true,
    patches: [
      {
        file: "durable/driver/notify/text-day.ts",
        find: `const isHeld = today[count] >= limit;`,
        replace: `const isHeld = today[count] >= 1_000 * limit;`,
      },
    ],
    expect: /no storm of texts \/ (?:too many a day|silenced|ceiling)/,
  },
];
