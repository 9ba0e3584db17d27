import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { configQuery } from "../../../web/api/queries/user.ts";
import { NextBlock } from "../../../web/features/dashboard/next-block.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

const next = makeBlock(makeOffer("next"));
const later = makeBlock(makeOffer("later", { startsAt: NOON + 26 * HOUR_MS, endsAt: NOON + 32 * HOUR_MS }));

async function htmlOfCard(held: Block[]) {
  const warehouses = [makeWarehouse({ address: "1 Road" })];
  const system = { held, warehouses, phase: { kind: "polling" as const }, isLinked: true };
  return htmlOfPart(createElement(NextBlock, { system }), {
    answered: [[configQuery.queryKey, { productName: "Jornada", giveBack: { minutes: 45, url: null } }]],
  });
}

it("says when, where and for how much the next block is", async () => {
  expect(textsIn(await htmlOfCard([next, later])).slice(0, 7)).toEqual([
    "Next block",
    "Starts in 3 hr",
    "Bethpage (DNY4)",
    "1 Road",
    "3:00 PM to 6:00 PM · 3 hr",
    "$90",
    "$30/hr",
  ]);
});

it("draws the work of each of the seven days ahead, and sums it up", async () => {
  const days = "in the next 7 days";
  const strip = async (held: Block[]) => {
    const [, link = ""] = (await htmlOfCard(held)).split('data-testid="week-strip"');
    const heights = [...link.matchAll(/height:([^"]*)"/gu)].map(([, height]) => height);
    return [heights, textsIn(`<a ${link}`).slice(7)];
  };
  expect([await strip([next, later]), await strip([])]).toEqual([
    [
      ["30%", "60%"],
      [`2 blocks ${days}`, "$180"],
    ],
    [[], [`0 blocks ${days}`]],
  ]);
  expect(textsIn(await htmlOfCard([]))).toContain("No upcoming blocks");
});
