import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { isLastPage, MAX_PAGE_CHARS, type ListingChange } from "../../db/shapes/log/listing.ts";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import { loadListings } from "../../worker/routes/work/replay.ts";
import { makeOffer, NOON } from "../engine/fixtures.ts";
import { openStore } from "../support/runtime/node-store.ts";

const CALL_LIMIT_BYTES = 32 * 2 ** 20;

/** The store of an object with so many rows, each with as many offers as one has, and long ids. */
function storeWith(rows: number) {
  const { listings } = openStore(new DatabaseSync(":memory:"));
  for (let row = 0; row < rows; row += 1) {
    const seen = Array.from({ length: 1_000 }, (_, index) => makeOffer(`${row}-${index}-`.padEnd(200, "x")));
    const left =
      row === 0 ? [] : seen.map((_, index) => makeOffer(`${row - 1}-${index}-`.padEnd(200, "x")).offerId);
    const change: ListingChange = {
      at: NOON + row * MINUTE_MS,
      isAfterPause: false,
      seen,
      left,
      held: [],
      freed: [],
    };
    listings.append([change]);
  }
  return listings;
}

it("gives no more rows than the answer of one call has room for, and says with the last that no more follow", () => {
  const listings = storeWith(40);
  const pages: ReturnType<typeof listings.page>[] = [];
  for (let after = 0; ;) {
    const page = listings.page({ after, limit: 250 });
    pages.push(page);
    after = page.at(-1)?.at ?? after;
    if (isLastPage(page, 250)) break;
  }
  const charsOf = (page: ReturnType<typeof listings.page>) =>
    page.reduce((sum, { value }) => sum + value.length, 0);
  expect(pages.reduce((sum, page) => sum + charsOf(page), 0)).toBeGreaterThan(MAX_PAGE_CHARS * 2);
  for (const page of pages) expect(charsOf(page)).toBeLessThan(CALL_LIMIT_BYTES / 2);
  expect(pages.flat().map(({ at }) => at)).toEqual(
    Array.from({ length: 40 }, (_, row) => NOON + row * MINUTE_MS),
  );
});

it("reads the newest of more listings than a Worker has memory for, and says since when they are whole", async () => {
  const listings = storeWith(50);
  const object = { listingPage: async (page: { after: number; limit: number }) => listings.page(page) };
  const { changes, from } = await loadListings(object, NOON);
  expect(from).toBe(changes[0]?.at);
  expect(changes.at(-1)?.at).toBe(NOON + 49 * MINUTE_MS);
  expect([changes.length > 10, changes.length < 20]).toEqual([true, true]);
  expect(changes.map(({ at }) => at)).toEqual(changes.map((_, index) => from + index * MINUTE_MS));
  // Fewer are whole from the start.
  const few = await loadListings(object, NOON + 40 * MINUTE_MS - 1);
  expect([few.from, few.changes.length]).toEqual([NOON + 40 * MINUTE_MS - 1, 10]);
});

it("reads a row of as many changes as a page has", async () => {
  const { listings } = openStore(new DatabaseSync(":memory:"));
  const nothing = { isAfterPause: false, seen: [], held: [], freed: [] };
  const { offerId } = makeOffer("a");
  for (let row = 0; row < 70; row += 1) {
    const at = NOON + row * MINUTE_MS;
    listings.append(
      Array.from({ length: 2_000 }, (_, index) => ({ ...nothing, at: at + index, left: [offerId] })),
    );
  }
  const object = { listingPage: async (page: { after: number; limit: number }) => listings.page(page) };
  expect((await loadListings(object, NOON)).changes).toHaveLength(140_000);
});
