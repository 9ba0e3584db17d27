import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import * as z from "zod/mini";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { snapshot } from "../../../db/shapes/work/live.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import {
  passedOverResponse,
  type BlocksResponse,
  type PassedOverResponse,
} from "../../../worker/contract/work/blocks.ts";
import type { BlockList } from "../../../db/shapes/log/driver-log.ts";
import { liveStore, resetLive } from "../../../web/api/live/live.ts";
import { blocksQuery, passedOverQuery } from "../../../web/api/queries/blocks.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { BlockListView } from "../../../web/features/blocks/block-list-view.tsx";
import { PassedOver } from "../../../web/features/blocks/passed-over.tsx";
import { UpcomingBlocks } from "../../../web/features/blocks/upcoming-blocks.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";
import { quietSnapshot } from "../../support/quiet-snapshot.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  resetLive();
  vi.useRealTimers();
});

const warehouse = makeWarehouse();
const block = makeBlock(makeOffer("a"));

const WON = { type: "won", seq: 1, at: NOON, block } as const;

async function readList(type: BlockList, page: Partial<BlocksResponse>) {
  const html = await htmlOfPart(createElement(BlockListView, { type }), {
    answered: [
      [blocksQuery(type).queryKey, { pages: [{ items: [], cursor: null, ...page }], pageParams: [null] }],
      [warehousesQuery.queryKey, { warehouses: [warehouse] }],
    ],
  });
  return textsIn(html);
}

it("has the sums of a list above it, where the server has summed it", async () => {
  const total = { count: 1200, payCents: 123_456, minutes: 630, currency: "USD" };
  const under = async (sums: BlocksResponse["total"]) => readList("won", { items: [WON], total: sums });
  expect([await under(total), await under({ ...total, currency: null }), await under(null)]).toEqual([
    ["1,200 in all", "10.5 hr ·", "$1,234.56", "No more results"],
    ["1,200 in all", "No more results"],
    ["No more results"],
  ]);
});

it("offers the older part of a list while there is one", async () => {
  expect(await readList("won", { items: [WON], cursor: "1_b" })).toEqual(["Show older"]);
});

const WAYS = ["Check my filters", "Check if it's on"];

it.each<[type: BlockList, title: string, text: string]>([
  [
    "won",
    "No blocks yet",
    "Blocks we capture show up here with their pay and time. To get more, lower a minimum, add hours to your schedule or select more warehouses.",
  ],
  [
    "lost",
    "Nothing missed",
    "Offers we try to capture and miss show up here with the reason. If other drivers are often faster, try turbo mode: it checks more often.",
  ],
  [
    "disliked",
    "Nothing skipped",
    "Offers that don't fit your filters show up here with the reason. There are none from the last 30 days.",
  ],
])("says what an empty list will have: %s", async (type, ...texts) => {
  expect(await readList(type, {})).toEqual([...texts, ...WAYS]);
});

async function readUpcoming(held: readonly Block[]) {
  const shown = z.parse(snapshot, { ...quietSnapshot(NOON), warehouses: [warehouse], held });
  liveStore.setState((state) => ({ ...state, snapshot: shown, connection: "open", lastMessageAt: NOON }));
  return textsIn(await htmlOfPart(createElement(UpcomingBlocks)));
}

const blockAt = (name: string, hours: number, payCents = 9000) =>
  makeBlock(makeOffer(name, { startsAt: NOON + hours * HOUR_MS, payCents }));

it("lists the blocks ahead by day, with each day's pay, and none that has ended", async () => {
  const held = [
    blockAt("over", -3),
    blockAt("running", -2),
    blockAt("tonight", 6, 10_050),
    blockAt("tomorrow", 24, 8000),
  ];
  const place = "Bethpage (DNY4)";
  expect(await readUpcoming(held)).toEqual([
    "Wed, Jun 10",
    "$190.50",
    place,
    "10:00 AM to 1:00 PM · 3 hr",
    "In progress until 1:00 PM",
    "$90.00",
    "$30.00/hr",
    place,
    "6:00 PM to 9:00 PM · 3 hr",
    "Starts in 6 hr",
    "$100.50",
    "$33.50/hr",
    "Thu, Jun 11",
    "$80.00",
    place,
    "12:00 PM to 3:00 PM · 3 hr",
    "Starts in 1 day",
    "$80.00",
    "$26.67/hr",
  ]);
  expect(await readUpcoming(held.slice(0, 1))).toEqual([
    "No upcoming blocks",
    "Your next block shows up here, whether we capture it or you take it yourself.",
    "Check if it's on",
  ]);
});

it("counts what was passed over by reason, the first three of them", async () => {
  const group = { code: "price_below_minimum", offers: 3, workable: 2, payCents: 17_000, proposal: null };
  const change = { kind: "min_price", warehouseId: warehouse.warehouseId, cents: 8000 };
  const passed = z.parse(passedOverResponse, {
    filtersVersion: 1,
    currency: "USD",
    since: NOON - HOUR_MS,
    groups: [
      { ...group, proposal: { change, offers: 2, payCents: 16_000 } },
      { ...group, code: "day_off", workable: 3 },
      { ...group, code: "expired", offers: 1, payCents: 0 },
      { ...group, code: "too_soon" },
    ],
  });
  const read = async (data: PassedOverResponse) =>
    textsIn(
      await htmlOfPart(createElement(PassedOver, { warehouses: [warehouse] }), {
        answered: [[passedOverQuery.queryKey, data]],
      }),
    );
  expect(await read(passed)).toEqual([
    "What your filters skipped",
    "Since 11:00 AM. Another driver may have been faster.",
    "Under your minimum pay",
    "3 offers · 2 without overlap: $170",
    "You'd have had 2 more: $160",
    "Lower Bethpage (DNY4) to $80",
    "On your days off",
    "3 offers · $170",
    "Expired before we could take them",
    "1 offer",
    "All reasons",
  ]);
  expect((await read({ ...passed, groups: passed.groups.slice(0, 3) })).at(-1)).toBe("1 offer");
  expect(await read({ ...passed, since: null })).toEqual([]);
});
