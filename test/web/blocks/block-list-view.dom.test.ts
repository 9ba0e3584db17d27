import { act, screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { BlocksResponse } from "../../../worker/contract/work/blocks.ts";
import { blocksQuery } from "../../../web/api/queries/blocks.ts";
import { warehousesQuery } from "../../../web/api/queries/filters.ts";
import { BlockListView } from "../../../web/features/blocks/block-list-view.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork, storeSession, type Reply } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => storeSession(localStorage));

const OLDER = "GET /flex/v1/blocks?type=won&cursor=1_b";
const SHOW_OLDER = "Show older";
const page = (seq: number, cursor: string | null): BlocksResponse => ({
  items: [{ type: "won", seq, at: NOON, block: makeBlock(makeOffer(`${seq}`)) }],
  cursor,
  total: null,
});

/** A list of captured blocks whose first page has one; the older ones come as they are scripted. */
async function openList(...older: Reply[]) {
  const network = scriptNetwork();
  network.answer({ [OLDER]: older });
  const { user } = await renderPart(createElement(BlockListView, { type: "won" }), {
    answered: [
      [blocksQuery("won").queryKey, { pages: [page(2, "1_b")], pageParams: [null] }],
      [warehousesQuery.queryKey, { warehouses: [makeWarehouse()] }],
    ],
  });
  return {
    press: () => user.click(screen.getByRole("button", { name: SHOW_OLDER })),
    requests: () => network.count(OLDER),
  };
}

it("loads the older part by itself as its end comes near", async () => {
  const { requests } = await openList({ body: page(1, null) });
  await screen.findByText("No more results");
  expect(requests()).toBe(1);
});

it.each<[string, Reply, string]>([
  ["the connection is lost", "lost", "We couldn't reach the server"],
  ["the server refuses", refusalReply("not_found"), "older"],
])(
  "requests older blocks once more at a press alone, and says why they are missing: %s",
  async (_when, failure, words) => {
    const { press, requests } = await openList(failure, { body: page(1, null) });
    expect((await screen.findByRole("alert")).textContent).toContain(words);
    expect(requests()).toBe(1);
    await press();
    await screen.findByText("No more results");
    expect([screen.queryByRole("alert"), requests()]).toEqual([null, 2]);
  },
);

it("says of no block that has ended that the driver is checked in, whatever the platform last said", async () => {
  scriptNetwork();
  const blockOf = (seq: number, startsAt: number) =>
    makeBlock(makeOffer(`${seq}`, { startsAt }), { status: "checked_in" });
  const items = [Date.now() - 10 * MINUTE_MS, Date.now() - DAY_MS].map(
    (startsAt, seq) => ({ type: "won", seq, at: startsAt, block: blockOf(seq, startsAt) }) as const,
  );
  await renderPart(createElement(BlockListView, { type: "won" }), {
    answered: [
      [blocksQuery("won").queryKey, { pages: [{ items, cursor: null, total: null }], pageParams: [null] }],
      [warehousesQuery.queryKey, { warehouses: [makeWarehouse()] }],
    ],
  });
  // Every row stands on paper.
  act(() => void dispatchEvent(new Event("beforeprint")));
  const lines = screen.getAllByTestId("offer-line").map(({ innerHTML }) => textsIn(innerHTML).at(-2));
  act(() => void dispatchEvent(new Event("afterprint")));
  expect(lines).toEqual(["You're checked in", "Captured"]);
});
