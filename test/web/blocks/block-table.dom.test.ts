import { act, screen } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, expect, it } from "vitest";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { BlockTable } from "../../../web/features/blocks/block-table.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { blockToFeedItem } from "../../../web/features/offers/feed-item.ts";
import { offerPlace } from "../../../web/features/offers/offer-place.ts";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => void act(() => dispatchEvent(new Event("afterprint"))));

/** The rows of the captured blocks; every row stands on paper, where nothing scrolls. */
async function rowsOf(...blocks: Block[]): Promise<string[][]> {
  const rows = blocks.map((block, seq) => {
    const item = blockToFeedItem({ type: "won", seq, at: NOON, block });
    return { item, place: offerPlace(item.offer, [makeWarehouse()]) };
  });
  const pagination = { hasMore: false, isLoading: false, hasFailed: false, load: () => {} };
  await renderPart(createElement(BlockTable, { type: "won", rows, now: NOON, pagination, onOpen: () => {} }));
  act(() => void dispatchEvent(new Event("beforeprint")));
  return screen
    .getAllByRole("row")
    .slice(1)
    .map(({ innerHTML }) => textsIn(innerHTML));
}

it("says of a captured block that the driver gave back, which its total leaves out", async () => {
  const kept = makeBlock(makeOffer("kept"));
  const [first, second] = await rowsOf(kept, { ...kept, status: "forfeited" });
  expect([first?.includes("Forfeited"), second?.at(-1)]).toEqual([false, "Forfeited"]);
});
