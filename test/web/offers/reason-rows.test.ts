import { beforeAll, expect, it } from "vitest";
import type { Reason, ReasonCode } from "../../../db/shapes/work/verdict.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { toReasonRow } from "../../../web/features/offers/reason-messages.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { BETHPAGE, idOf, NOON } from "../../engine/fixtures.ts";

beforeAll(() => changeLocale("en"));

const PLACE = { name: "Bethpage", timeZone: "America/New_York", currency: "USD", warehouse: null };
const HOUR = 60;
const RULE = "Your filter";
const LIMIT = "Your limit";
const QUESTION = "Our question";
const LATER = NOON + 45_000;
const BLOCK = { startsAt: NOON, endsAt: NOON + 2 * HOUR_MS };
const OFFER = { startsAt: NOON + HOUR_MS, endsAt: NOON + 3 * HOUR_MS };

type Row = [reason: Reason, against: string, rule: string, offer: string];

/** Every reason as a driver may meet it. */
const ROWS: { readonly [Code in ReasonCode]: readonly Row[] } = {
  currency: [[{ code: "currency", rule: "USD", offer: "CAD" }, RULE, "USD", "CAD"]],
  given_back: [
    [
      { code: "given_back", rule: LATER, offer: { blockId: idOf.block("a"), ...BLOCK } },
      RULE,
      "forfeited 12:00 PM",
      "12:00 PM to 2:00 PM",
    ],
  ],
  expired: [[{ code: "expired", rule: LATER, offer: NOON }, RULE, "open until 12:00:00 PM", "12:00:45 PM"]],
  warehouse_not_selected: [
    [
      { code: "warehouse_not_selected", rule: [BETHPAGE], offer: idOf.warehouse("B") },
      RULE,
      "1 selected",
      "Bethpage",
    ],
  ],
  service_type: [[{ code: "service_type", rule: "parcel", offer: "grocery" }, RULE, "Packages", "Groceries"]],
  date_off: [
    [
      {
        code: "date_off",
        rule: { from: "2026-06-10", to: "2026-06-12" },
        offer: "2026-06-11",
      },
      RULE,
      "off from Wed, Jun 10 to Fri, Jun 12",
      "Thu, Jun 11",
    ],
  ],
  day_off: [
    [{ code: "day_off", rule: [1, 2], offer: 3 }, RULE, "Mon & Tue", "Wednesday"],
    [{ code: "day_off", rule: [], offer: 3 }, RULE, "no days", "Wednesday"],
  ],
  outside_schedule: [
    [
      { code: "outside_schedule", rule: { start: 8 * HOUR, end: 18 * HOUR }, offer: 19 * HOUR },
      RULE,
      "8:00 AM to 6:00 PM",
      "7:00 PM",
    ],
  ],
  too_soon: [
    [{ code: "too_soon", rule: 45, offer: 20 }, RULE, "45 min notice", "20 min notice"],
    [{ code: "too_soon", rule: 45, offer: -5 }, RULE, "45 min notice", "started 5 min ago"],
  ],
  duration_not_preferred: [
    [{ code: "duration_not_preferred", rule: [180, 240], offer: 150 }, RULE, "3 or 4 hr", "2.5 hr"],
    [{ code: "duration_not_preferred", rule: [], offer: 150 }, RULE, "no block lengths", "2.5 hr"],
  ],
  price_below_minimum: [
    [{ code: "price_below_minimum", rule: 8000, offer: 6350 }, RULE, "at least $80", "$63.50"],
  ],
  rate_below_minimum: [
    [{ code: "rate_below_minimum", rule: 2200, offer: 1899 }, RULE, "at least $22/hr", "$18.99/hr"],
  ],
  weekly_limit: [
    [
      { code: "weekly_limit", rule: { minutes: 3 * HOUR, until: OFFER.endsAt }, offer: 4 * HOUR },
      "The platform's limit",
      "the platform gave you nothing of 3 hr or more until 3:00 PM",
      "4 hr",
    ],
  ],
  day_limit: [
    [{ code: "day_limit", unit: "blocks", rule: 2, offer: 3 }, LIMIT, "2 blocks a day", "3 with it"],
    [
      { code: "day_limit", unit: "minutes", rule: 8 * HOUR, offer: 9 * HOUR },
      LIMIT,
      "8 hr a day",
      "9 hr with it",
    ],
  ],
  week_limit: [
    [{ code: "week_limit", rule: 40 * HOUR, offer: 42 * HOUR }, LIMIT, "40 hr a week", "42 hr with it"],
  ],
  goal_reached: [
    [{ code: "goal_reached", rule: 60_000, offer: 61_000 }, LIMIT, "stop at $600", "$610 already"],
  ],
  rest: [
    [{ code: "rest", rule: 60, offer: 20 }, LIMIT, "1 hr between blocks", "20 min between blocks"],
    [{ code: "rest", rule: 60, offer: 0 }, LIMIT, "1 hr between blocks", "0 min between blocks"],
  ],
  travel: [
    [{ code: "travel", rule: 30, offer: 20 }, LIMIT, "30 min between blocks", "20 min between blocks"],
  ],
  overlaps_block: [
    [
      { code: "overlaps_block", rule: BLOCK, offer: OFFER },
      "Your block",
      "12:00 PM to 2:00 PM",
      "1:00 PM to 3:00 PM",
    ],
  ],
  passed: [
    [{ code: "passed", rule: NOON, offer: LATER }, QUESTION, "asked 12:00:00 PM", "passed 12:00:45 PM"],
  ],
  unanswered: [
    [{ code: "unanswered", rule: NOON, offer: LATER }, QUESTION, "asked 12:00:00 PM", "closed 12:00:45 PM"],
  ],
  only_told: [
    [{ code: "only_told", rule: "tell" }, RULE, "only tell me", "–"],
    [{ code: "only_told", rule: "ask" }, RULE, "six questions an hour at most", "–"],
  ],
  other: [[{ code: "other" }, RULE, "–", "–"]],
};

// A figure and its unit stay on one line.
const plain = (text: string) => text.replaceAll(/\s/gu, " ");
const context = { place: PLACE, heldAt: null, now: NOON, hourlyCents: 1899 };

it.each(Object.values(ROWS).flat())("says both figures of %o", (reason, against, rule, offer) => {
  const row = toReasonRow(reason, context);
  expect([row.against, plain(row.rule), plain(row.offer)]).toEqual([against, rule, offer]);
});

it("says where the block is that an offer overlaps, by the clock of that place", () => {
  const heldAt = { ...PLACE, name: "Maspeth", timeZone: "America/Chicago" };
  const { rule, offer } = toReasonRow(
    { code: "overlaps_block", rule: BLOCK, offer: OFFER },
    { ...context, heldAt },
  );
  expect([plain(rule), plain(offer)]).toEqual(["Maspeth, 11:00 AM to 1:00 PM", "1:00 PM to 3:00 PM"]);
});

it.each<[reason: Reason, title: string]>([
  [{ code: "date_off", rule: { from: "2026-06-10", to: "2026-06-12" }, offer: "2026-06-11" }, "Thu, Jun 11"],
  [{ code: "day_off", rule: [1, 2], offer: 3 }, "Wednesday"],
])("names the day in %o", (reason, day) => {
  expect(toReasonRow(reason, context).title.toLowerCase()).toContain(day.toLowerCase());
});
