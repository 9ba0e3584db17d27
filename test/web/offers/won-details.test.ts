import { createElement } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { otherOffersQuery } from "../../../web/api/queries/blocks.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { offerPlace } from "../../../web/features/offers/offer-place.ts";
import { WonDetails } from "../../../web/features/offers/won-details.tsx";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => void vi.useRealTimers());

const warehouse = makeWarehouse({ address: "1 Main St" });
const GIVE_BACK = { minutes: 45, url: "https://platform.test/blocks" };

/** The texts of a block that starts at three, so many minutes before. */
async function readAt(minutesAhead: number, fields: Partial<Block> = {}, others: unknown = null) {
  const block = makeBlock(makeOffer("a"), fields);
  vi.useFakeTimers({ now: block.startsAt - minutesAhead * MINUTE_MS, toFake: ["Date"] });
  const part = createElement(WonDetails, { block, place: offerPlace(block, [warehouse]) });
  const html = await htmlOfPart(part, {
    answered: [
      [configQuery.queryKey, { productName: "Jornada", giveBack: GIVE_BACK }],
      [warehousesQuery.queryKey, { warehouses: [warehouse] }],
      [otherOffersQuery(block.blockId).queryKey, { offers: others }],
    ],
  });
  return textsIn(html);
}

const ADDRESS = "1 Main St";
const AHEAD = ["Get directions", "Add to calendar"];
const FORFEIT = [
  "You can forfeit it penalty-free until 2:15 PM (1 hr 15 min left), in the platform's own app.",
  "Forfeit on the platform",
  "Other offers at that time",
];

it.each<[what: string, minutesAhead: number, fields: Partial<Block>, texts: string[]]>([
  [
    "ahead",
    120,
    {},
    [
      ADDRESS,
      "Starts in 2 hr",
      ...FORFEIT,
      "We aren't getting offers right now, so we can't say what else there is.",
      ...AHEAD,
    ],
  ],
  [
    "too late to give back",
    30,
    {},
    [ADDRESS, "Starts in 30 min", "Too late to forfeit it penalty-free: the deadline was 2:15 PM.", ...AHEAD],
  ],
  ["under way", -10, {}, [ADDRESS, "In progress until 6:00 PM", ...AHEAD]],
  [
    "checked in",
    -10,
    { status: "checked_in", checkedInAt: NOON + 2.5 * HOUR_MS },
    [ADDRESS, "Checked in 2:30 PM", ...AHEAD],
  ],
  ["checked in, nobody knows when", -10, { status: "checked_in" }, [ADDRESS, "You're checked in", ...AHEAD]],
  ["done", -200, {}, [ADDRESS, "This block is over"]],
  ["given back", 120, { status: "forfeited" }, [ADDRESS, "Forfeited"]],
  [
    "of a status of a later release",
    120,
    { status: "other" },
    [ADDRESS, "Check this block's status in the platform's own app.", ...AHEAD],
  ],
])("says where a block stands, and what can be done: %s", async (_what, minutesAhead, fields, texts) => {
  expect(await readAt(minutesAhead, fields)).toEqual(texts);
});

it("lists three offers at most that could be taken instead, and none that has ended", async () => {
  const at = (hour: number, fields = {}) =>
    makeOffer(`other${hour}`, { startsAt: NOON + hour * HOUR_MS, ...fields });
  const offers = [at(4, { expiresAt: NOON }), at(5), at(6), at(7), at(8)];
  const readOthers = async (others: unknown) => (await readAt(120, {}, others)).slice(5, -2);
  const place = "Bethpage (DNY4)";
  expect(await readOthers(offers)).toEqual([
    "They're listed now and fit your filters. If you forfeit this block, we'll try for them.",
    place,
    "5:00 PM to 8:00 PM · 3 hr",
    "$90.00",
    "$30/hr",
    place,
    "6:00 PM to 9:00 PM · 3 hr",
    "$90.00",
    "$30/hr",
    place,
    "7:00 PM to 10:00 PM · 3 hr",
    "$90.00",
    "$30/hr",
  ]);
  expect(await readOthers([])).toEqual(["Nothing else at that time fits your filters right now."]);
});
