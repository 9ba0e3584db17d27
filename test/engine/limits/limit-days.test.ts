import { describe, expect, it } from "vitest";
import { NO_LIMITS, type Limits } from "../../../db/shapes/work/filters.ts";
import { dateOfDay } from "../../../db/shapes/work/local-date.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { compileFilters } from "../../../durable/engine/verdicts/compiled-filters.ts";
import {
  dayAt,
  limitReasons,
  mondayOfDay,
  openLimitBook,
  useOf,
} from "../../../durable/engine/verdicts/limit-book.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import { at, idOf, makeBlock, makeFilters, makeOffer, makeProfile, makeWarehouse } from "../fixtures.ts";

/** The filters of a driver with one warehouse in each zone, named for it. */
function compiled(zones: readonly string[], limits: Partial<Limits> = { blocksPerDay: 1 }) {
  const profile = makeProfile({ filters: makeFilters({ limits: { ...NO_LIMITS, ...limits } }) });
  const warehouses = zones.map((timeZone) =>
    makeWarehouse({ warehouseId: idOf.warehouse(timeZone), timeZone }),
  );
  return compileFilters(profile, warehouses);
}

const offerAt = (zone: string, startsAt: string, hours = 3): Offer => {
  const starts = at(startsAt);
  return makeOffer(`${zone}/${startsAt}`, {
    warehouseId: idOf.warehouse(zone),
    startsAt: starts,
    endsAt: starts + hours * HOUR_MS,
  });
};
const blockAt = (...place: Parameters<typeof offerAt>): Block => makeBlock(offerAt(...place));

/** The reasons that the limits give against an offer beside blocks that are held. */
function reasonsAgainst(offer: Offer, held: readonly Block[], limits: Partial<Limits>) {
  const zones = [...new Set([...held, offer].map(({ warehouseId }) => warehouseId))];
  const book = openLimitBook(compiled(zones, limits), held, "USD");
  return book ? limitReasons(book, offer) : [];
}

const NEW_YORK = "America/New_York";
const LOS_ANGELES = "America/Los_Angeles";
const PHOENIX = "America/Phoenix";
const SAO_PAULO = "America/Sao_Paulo";
const LORD_HOWE = "Australia/Lord_Howe";
const KATHMANDU = "Asia/Kathmandu";

/** A start, the day on which its block counts, and the Monday of its week. */
const DAYS: [zone: string, startsAt: string, day: string, monday: string][] = [
  // An ordinary Sunday night.
  [NEW_YORK, "2026-06-14T23:59:59-04:00", "2026-06-14", "2026-06-08"],
  [NEW_YORK, "2026-06-15T00:00:00-04:00", "2026-06-15", "2026-06-15"],
  // The Sunday of 23 hours.
  [NEW_YORK, "2026-03-07T23:59:59-05:00", "2026-03-07", "2026-03-02"],
  [NEW_YORK, "2026-03-08T00:00:00-05:00", "2026-03-08", "2026-03-02"],
  [NEW_YORK, "2026-03-08T01:59:59-05:00", "2026-03-08", "2026-03-02"],
  [NEW_YORK, "2026-03-08T03:00:00-04:00", "2026-03-08", "2026-03-02"],
  [NEW_YORK, "2026-03-08T23:59:59-04:00", "2026-03-08", "2026-03-02"],
  [NEW_YORK, "2026-03-09T00:00:00-04:00", "2026-03-09", "2026-03-09"],
  // The Sunday of 25 hours.
  [NEW_YORK, "2026-10-31T23:59:59-04:00", "2026-10-31", "2026-10-26"],
  [NEW_YORK, "2026-11-01T00:00:00-04:00", "2026-11-01", "2026-10-26"],
  [NEW_YORK, "2026-11-01T01:30:00-04:00", "2026-11-01", "2026-10-26"],
  [NEW_YORK, "2026-11-01T01:30:00-05:00", "2026-11-01", "2026-10-26"],
  [NEW_YORK, "2026-11-01T23:59:59-05:00", "2026-11-01", "2026-10-26"],
  [NEW_YORK, "2026-11-02T00:00:00-05:00", "2026-11-02", "2026-11-02"],
  [LOS_ANGELES, "2026-03-08T23:59:59-07:00", "2026-03-08", "2026-03-02"],
  [LOS_ANGELES, "2026-03-09T00:00:00-07:00", "2026-03-09", "2026-03-09"],
  [LOS_ANGELES, "2026-11-01T23:59:59-08:00", "2026-11-01", "2026-10-26"],
  [LOS_ANGELES, "2026-11-02T00:00:00-08:00", "2026-11-02", "2026-11-02"],
  // No change of the clock.
  [PHOENIX, "2026-03-08T23:59:59-07:00", "2026-03-08", "2026-03-02"],
  [PHOENIX, "2026-03-09T00:00:00-07:00", "2026-03-09", "2026-03-09"],
  [PHOENIX, "2026-11-01T23:59:59-07:00", "2026-11-01", "2026-10-26"],
  [PHOENIX, "2026-11-02T00:00:00-07:00", "2026-11-02", "2026-11-02"],
  // Midnight itself is skipped, and the last hour of a Saturday repeated.
  [SAO_PAULO, "2018-11-03T23:59:59-03:00", "2018-11-03", "2018-10-29"],
  [SAO_PAULO, "2018-11-04T01:00:00-02:00", "2018-11-04", "2018-10-29"],
  [SAO_PAULO, "2018-11-05T00:00:00-02:00", "2018-11-05", "2018-11-05"],
  [SAO_PAULO, "2019-02-16T23:30:00-02:00", "2019-02-16", "2019-02-11"],
  [SAO_PAULO, "2019-02-16T23:30:00-03:00", "2019-02-16", "2019-02-11"],
  [SAO_PAULO, "2019-02-17T00:00:00-03:00", "2019-02-17", "2019-02-11"],
  [SAO_PAULO, "2026-12-31T23:59:59-03:00", "2026-12-31", "2026-12-28"],
  [SAO_PAULO, "2027-01-01T00:00:00-03:00", "2027-01-01", "2026-12-28"],
  // By half an hour.
  [LORD_HOWE, "2026-04-05T01:45:00+11:00", "2026-04-05", "2026-03-30"],
  [LORD_HOWE, "2026-04-05T01:45:00+10:30", "2026-04-05", "2026-03-30"],
  [LORD_HOWE, "2026-04-05T23:59:59+10:30", "2026-04-05", "2026-03-30"],
  [LORD_HOWE, "2026-04-06T00:00:00+10:30", "2026-04-06", "2026-04-06"],
  [LORD_HOWE, "2026-10-03T23:59:59+10:30", "2026-10-03", "2026-09-28"],
  [LORD_HOWE, "2026-10-04T02:30:00+11:00", "2026-10-04", "2026-09-28"],
  [LORD_HOWE, "2026-10-04T23:59:59+11:00", "2026-10-04", "2026-09-28"],
  [LORD_HOWE, "2026-10-05T00:00:00+11:00", "2026-10-05", "2026-10-05"],
  [KATHMANDU, "2026-06-14T23:59:59+05:45", "2026-06-14", "2026-06-08"],
  [KATHMANDU, "2026-06-15T00:00:00+05:45", "2026-06-15", "2026-06-15"],
];

it.each(DAYS)(
  "counts a block in %s that starts at %s to %s, in the week of %s",
  (zone, startsAt, on, monday) => {
    const filters = compiled([zone]);
    const block = blockAt(zone, startsAt, 10);
    const day = dayAt(filters, block);
    expect([dateOfDay(day), dateOfDay(mondayOfDay(day))]).toEqual([on, monday]);
    const book = openLimitBook(filters, [block], "USD");
    if (!book) throw new Error("the filters have a limit");
    const whole = { blocks: 1, ms: 10 * HOUR_MS, weekMs: 10 * HOUR_MS, weekPayCents: 9000 };
    const none = { blocks: 0, ms: 0, weekMs: 0, weekPayCents: 0 };
    const inWeek = { ...whole, blocks: 0, ms: 0 };
    expect(useOf(book, day)).toEqual(whole);
    expect(useOf(book, day - 1)).toEqual(on === monday ? none : inWeek);
    expect(useOf(book, mondayOfDay(day) + 6)).toEqual(day === mondayOfDay(day) + 6 ? whole : inWeek);
    expect(useOf(book, mondayOfDay(day) + 7)).toEqual(none);
  },
);

/** A block that is held, an offer, a limit, and what the limit says. */
const EDGES: [
  name: string,
  held: Block,
  offer: Offer,
  limits: Partial<Limits>,
  reasons: Record<string, unknown>[],
][] = [
  [
    "a block over midnight to the day of its start alone",
    blockAt(NEW_YORK, "2026-06-10T23:00:00-04:00", 4),
    offerAt(NEW_YORK, "2026-06-11T08:00:00-04:00"),
    { blocksPerDay: 1, minutesPerDay: 240 },
    [],
  ],
  [
    "a block over midnight to all of the day of its start",
    blockAt(NEW_YORK, "2026-06-10T23:00:00-04:00", 4),
    offerAt(NEW_YORK, "2026-06-10T08:00:00-04:00"),
    { minutesPerDay: 400 },
    [{ code: "day_limit", unit: "minutes", rule: 400, offer: 420 }],
  ],
  [
    "a block over Sunday's midnight to the week that ends",
    blockAt(NEW_YORK, "2026-06-14T23:00:00-04:00", 4),
    offerAt(NEW_YORK, "2026-06-15T08:00:00-04:00"),
    { minutesPerWeek: 240, weekGoalCents: 9000 },
    [],
  ],
  [
    "a block over Sunday's midnight to all of the week that ends",
    blockAt(NEW_YORK, "2026-06-14T23:00:00-04:00", 4),
    offerAt(NEW_YORK, "2026-06-08T00:00:00-04:00"),
    { minutesPerWeek: 400, weekGoalCents: 9000 },
    [
      { code: "week_limit", rule: 400, offer: 420 },
      { code: "goal_reached", rule: 9000, offer: 9000 },
    ],
  ],
  [
    "a block on a day of 25 hours by its length, not by the clock's hands",
    blockAt(NEW_YORK, "2026-11-01T00:30:00-04:00", 3),
    offerAt(NEW_YORK, "2026-11-01T20:00:00-05:00"),
    { minutesPerDay: 359 },
    [{ code: "day_limit", unit: "minutes", rule: 359, offer: 360 }],
  ],
  [
    "a block in the hour that is repeated once more to the same day",
    blockAt(NEW_YORK, "2026-11-01T01:00:00-04:00", 0.5),
    offerAt(NEW_YORK, "2026-11-01T01:30:00-05:00"),
    { blocksPerDay: 1 },
    [{ code: "day_limit", unit: "blocks", rule: 1, offer: 2 }],
  ],
  [
    "two warehouses at one instant each to its own day",
    blockAt(NEW_YORK, "2026-06-11T00:30:00-04:00"),
    offerAt(LOS_ANGELES, "2026-06-10T23:30:00-07:00"),
    { blocksPerDay: 1 },
    [],
  ],
  [
    "two warehouses to one date although a night lies between",
    blockAt(NEW_YORK, "2026-06-11T00:30:00-04:00"),
    offerAt(LOS_ANGELES, "2026-06-11T23:30:00-07:00"),
    { blocksPerDay: 1 },
    [{ code: "day_limit", unit: "blocks", rule: 1, offer: 2 }],
  ],
  [
    "two warehouses each to its own week, late on a Sunday",
    blockAt(NEW_YORK, "2026-06-15T00:30:00-04:00"),
    offerAt(LOS_ANGELES, "2026-06-14T23:30:00-07:00"),
    { minutesPerWeek: 180, weekGoalCents: 1 },
    [],
  ],
];

it.each(EDGES)("counts %s", (_name, held, offer, limits, reasons) => {
  expect(reasonsAgainst(offer, [held], limits)).toEqual(reasons);
});

/** Limits, and the reasons against an offer of 3 hours beside a held block of 3 hours and $90. */
const FIGURES: [limits: Partial<Limits>, codes: string[]][] = [
  [{ blocksPerDay: 2 }, []],
  [{ blocksPerDay: 1 }, ["day_limit"]],
  [{ minutesPerDay: 360 }, []],
  [{ minutesPerDay: 359 }, ["day_limit"]],
  [{ minutesPerWeek: 360 }, []],
  [{ minutesPerWeek: 359 }, ["week_limit"]],
  [{ weekGoalCents: 9001 }, []],
  [{ weekGoalCents: 9000 }, ["goal_reached"]],
  [{ restMinutes: 60 }, []],
  [{ restMinutes: 61 }, ["rest"]],
  [{ travelMinutes: 24 * 60 }, []],
];

it.each(FIGURES)("holds at the figure itself and not beyond it (%j)", (limits, codes) => {
  const held = blockAt(NEW_YORK, "2026-06-10T10:00:00-04:00");
  const offer = offerAt(NEW_YORK, "2026-06-10T14:00:00-04:00");
  expect(reasonsAgainst(offer, [held], limits).map(({ code }) => code)).toEqual(codes);
});

it("names both limits of a day, of which either keeps the offer out", () => {
  const held = blockAt(NEW_YORK, "2026-06-10T10:00:00-04:00");
  const offer = offerAt(NEW_YORK, "2026-06-10T14:00:00-04:00");
  expect(reasonsAgainst(offer, [held], { blocksPerDay: 1, minutesPerDay: 300 })).toEqual([
    { code: "day_limit", unit: "blocks", rule: 1, offer: 2 },
    { code: "day_limit", unit: "minutes", rule: 300, offer: 360 },
  ]);
});

describe("rest and travel", () => {
  const offer = offerAt(NEW_YORK, "2026-06-10T14:00:00-04:00");
  const elsewhere = (startsAt: string, hours: number): Block => blockAt("America/Detroit", startsAt, hours);

  it("are measured to the nearest block on either side, also over midnight", () => {
    const late = offerAt(NEW_YORK, "2026-06-11T00:30:00-04:00");
    const held = [
      blockAt(NEW_YORK, "2026-06-10T20:00:00-04:00", 4),
      blockAt(NEW_YORK, "2026-06-11T05:30:00-04:00"),
    ];
    expect(reasonsAgainst(late, held, { restMinutes: 45 })).toEqual([{ code: "rest", rule: 45, offer: 30 }]);
  });

  it("say where the driver comes from, and the way counts between two warehouses alone", () => {
    const held = [
      blockAt(NEW_YORK, "2026-06-10T10:00:00-04:00", 4),
      elsewhere("2026-06-10T17:20:00-04:00", 2),
    ];
    const reasons = reasonsAgainst(offer, held, { travelMinutes: 30 });
    const warehouseId = idOf.warehouse("America/Detroit");
    expect(reasons).toEqual([{ code: "travel", rule: 30, offer: 20, warehouseId }]);
  });

  it("leave a block aside that overlaps the offer", () => {
    const held = [elsewhere("2026-06-10T13:00:00-04:00", 2)];
    expect(reasonsAgainst(offer, held, { restMinutes: 60, travelMinutes: 60 })).toEqual([]);
  });

  it("need as much as the driver set, to the millisecond", () => {
    const startsAt = offer.endsAt + 30 * MINUTE_MS - 1;
    const near = { ...elsewhere("2026-06-10T17:30:00-04:00", 2), startsAt };
    expect(reasonsAgainst(offer, [near], { travelMinutes: 30 })).toMatchObject([
      { code: "travel", rule: 30, offer: 29 },
    ]);
    const far = { ...near, startsAt: startsAt + 1 };
    expect(reasonsAgainst(offer, [far], { travelMinutes: 30 })).toEqual([]);
  });
});

it("counts a block of a warehouse that the platform lists no more by the clock of the first that it does", () => {
  const gone = { ...blockAt(NEW_YORK, "2026-06-11T02:00:00-04:00"), warehouseId: idOf.warehouse("gone") };
  const filters = compiled([LOS_ANGELES, NEW_YORK]);
  expect(dateOfDay(dayAt(filters, gone))).toBe("2026-06-10");
});

it("counts the pay of another currency toward no goal", () => {
  const held = { ...blockAt(NEW_YORK, "2026-06-10T10:00:00-04:00"), currency: "CAD" };
  const offer = offerAt(NEW_YORK, "2026-06-10T14:00:00-04:00");
  expect(reasonsAgainst(offer, [held], { weekGoalCents: 1 })).toEqual([]);
});
