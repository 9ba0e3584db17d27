import { expect, it } from "vitest";
import type { ListParts } from "../../durable/engine/state/types.ts";
import { createPlatformHarness, ids, itemsOf, problemResponse, replayResponse } from "./harness.ts";

const [first] = itemsOf("list-offers", "offers");
const MB = 1024 * 1024;

/** A platform with one offer per warehouse, each as long as `sizes` says, and the selection of each call to it. */
function createLongPlatform(
  sizes: Record<string, number>,
  answer?: (selection: string, calls: number) => Response | Record<string, string> | null,
) {
  const selections: string[] = [];
  const { platform } = createPlatformHarness(({ url }) => {
    const selection = new URL(url).searchParams.get("warehouseIds") ?? "";
    selections.push(selection);
    const given = answer?.(selection, selections.length) ?? {};
    if (given instanceof Response) return given;
    const offers = selection.split(",").map((warehouseId) => ({
      ...first,
      offerId: `off_${warehouseId}`,
      warehouseId,
      note: "x".repeat(sizes[warehouseId] ?? 0),
    }));
    return replayResponse("list-offers", { body: { offers }, headers: { etag: '"1"', ...given } });
  });
  const warehouseIds = Object.keys(sizes).map(ids.warehouse);
  let parts: ListParts | null = null;
  return {
    selections,
    async list(maxCalls = Infinity) {
      const before = selections.length;
      const onParts = (next: ListParts | null) => {
        parts = next;
      };
      const input = { accessToken: "at", warehouseIds, etag: null, maxCalls, parts, onParts };
      const result = await platform.listOffers(input);
      const listed = result.kind === "offers" ? result.offers.map(({ warehouseId }) => warehouseId) : [];
      const partOf = (result.kind === "offers" && result.partOf?.join()) || null;
      return { kind: result.kind, listed: listed.join(), partOf, calls: selections.slice(before) };
    },
  };
}

it("reads a list of 10,000 offers in one call", async () => {
  const offers = Array.from({ length: 10_000 }, (_, index) => ({ ...first, offerId: `off_${index}` }));
  const { platform, requests } = createPlatformHarness(() =>
    replayResponse("list-offers", { body: { offers } }),
  );
  const result = await platform.listOffers({
    accessToken: "at",
    warehouseIds: [ids.warehouse("A")],
    etag: null,
  });
  expect([result.kind === "offers" && result.offers.length, requests.length]).toEqual([10_000, 1]);
});

it("asks for a list that is too long by groups of warehouses, and remembers what fits", async () => {
  const { list } = createLongPlatform({ A: 2.5 * MB, B: 2.5 * MB, C: 2.5 * MB, D: 2.5 * MB });
  expect(await list()).toMatchObject({ kind: "offers", listed: "A,B,C,D", calls: ["A,B,C,D", "A,B", "C,D"] });
  expect(await list()).toMatchObject({ kind: "offers", listed: "A,B,C,D", calls: ["A,B", "C,D"] });
});

it("makes no more calls than the quota has room for, and goes on with the other groups next time", async () => {
  const { list } = createLongPlatform({ A: 4 * MB, B: 4 * MB, C: 4 * MB, D: 4 * MB });
  const lists = [];
  for (const maxCalls of [1, 2, 2, 1, 1, 2]) lists.push((await list(maxCalls)).calls);
  expect(lists).toEqual([["A,B,C,D"], ["A,B", "A"], ["B", "C"], ["D"], ["A"], ["B", "C"]]);
});

it("reads one group at a time where the quota has room for no more, also past a warehouse that is too long alone", async () => {
  const { list } = createLongPlatform({ A: 7 * MB, B: 4 * MB, C: 4 * MB });
  const lists = [];
  for (let poll = 0; poll < 8; poll += 1) lists.push((await list(1)).calls.join());
  expect(lists).toEqual(["A,B,C", "A,B", "A", "B", "C", "A", "B", "C"]);
});

it("asks in one call again once all groups together would fit", async () => {
  const sizes = { A: 4 * MB, B: 4 * MB };
  const { list } = createLongPlatform(sizes);
  expect((await list()).calls).toEqual(["A,B", "A", "B"]);
  sizes.A = sizes.B = MB;
  expect((await list()).calls).toEqual(["A", "B"]);
  expect((await list()).calls).toEqual(["A,B"]);
});

it("leaves out a warehouse whose own list is too long", async () => {
  const { list } = createLongPlatform({ A: 7 * MB, B: MB, C: MB });
  expect(await list()).toMatchObject({
    kind: "offers",
    listed: "B,C",
    calls: ["A,B,C", "A,B", "A", "B", "C"],
  });
  expect((await createLongPlatform({ A: 7 * MB }).list()).kind).toBe("unreadable");
});

it("says of which warehouses it could be read, where some are left", async () => {
  const sizes = { A: 4 * MB, B: 4 * MB, C: 7 * MB };
  const long = createLongPlatform(sizes);
  const partsOf = async (maxCalls: number) => (await long.list(maxCalls)).partOf;
  expect(await partsOf(3)).toBe("A");
  expect([await partsOf(1), await partsOf(1), await partsOf(2)]).toEqual(["B", null, "A,B"]);
  expect((await createLongPlatform({ A: 4 * MB, B: 4 * MB }).list()).partOf).toBeNull();
});

it("knows after a round of single calls that one would do again", async () => {
  const sizes = { A: 4 * MB, B: 4 * MB };
  const { list } = createLongPlatform(sizes);
  await list();
  sizes.A = MB;
  for (const expected of ["A", "B", "A"]) expect((await list(1)).calls).toEqual([expected]);
  sizes.B = MB;
  for (const expected of ["B", "A,B"]) expect((await list(1)).calls).toEqual([expected]);
});

it("stops where little of the quota is left, and begins with the other groups next time", async () => {
  const quota = { "ratelimit-limit": "100", "ratelimit-remaining": "9", "ratelimit-reset": "30" };
  const { list } = createLongPlatform({ A: 4 * MB, B: 4 * MB, C: 4 * MB }, (selection) =>
    selection.includes(",") ? null : quota,
  );
  expect((await list()).calls).toEqual(["A,B,C", "A,B", "A"]);
  expect((await list()).calls).toEqual(["B"]);
  expect((await list()).calls).toEqual(["C"]);
});

it("keeps what was read if one group fails, but obeys a refusal that is for every call", async () => {
  const sizes = { A: 4 * MB, B: 4 * MB };
  const failing = (status: number, headers: Record<string, string> = {}) =>
    createLongPlatform(sizes, (selection) =>
      selection === "B" ? problemResponse(status, "internal", headers) : null,
    ).list();
  expect(await failing(500)).toMatchObject({ kind: "offers", listed: "A" });
  expect(await failing(503, { "retry-after": "9" })).toMatchObject({ kind: "unreachable" });
  expect(await failing(429)).toMatchObject({ kind: "rate_limited" });
  expect(await failing(401)).toMatchObject({ kind: "signed_out" });
});

it.each(["of:A", "A,B", "x".repeat(65)])(
  "asks for all offers where a warehouse's id is none of the contract's: %s",
  async (id) => {
    const { platform, requests } = createPlatformHarness(() => replayResponse("list-offers"));
    const warehouseIds = [ids.warehouse("A"), ids.warehouse(id)];
    await platform.listOffers({ accessToken: "at", warehouseIds, etag: null });
    expect(requests.map(({ url }) => new URL(url).search)).toEqual([""]);
  },
);

/** A platform with so many offers per warehouse, of which it lists 200 at most. */
function createBusyPlatform(counts: Record<string, number>) {
  const calls: string[] = [];
  const { platform } = createPlatformHarness(({ url }) => {
    const selection = new URL(url).searchParams.get("warehouseIds") ?? "";
    calls.push(selection);
    const open = selection.split(",").flatMap((warehouseId) =>
      Array.from({ length: counts[warehouseId] ?? 0 }, (_, index) => {
        return { ...first, offerId: `off_${warehouseId}_${index}`, warehouseId };
      }),
    );
    return replayResponse("list-offers", { body: { offers: open.slice(0, 200) } });
  });
  let parts: ListParts | null = null;
  return async (maxCalls = Infinity) => {
    calls.length = 0;
    const onParts = (next: ListParts | null) => {
      // As it is stored.
      expect(Number.isInteger(next?.length ?? 0)).toBe(true);
      parts = next;
    };
    const warehouseIds = Object.keys(counts).map(ids.warehouse);
    const result = await platform.listOffers({
      accessToken: "at",
      warehouseIds,
      etag: null,
      maxCalls,
      parts,
      onParts,
    });
    return [calls.join(" "), result.kind === "offers" ? result.offers.length : result.kind];
  };
}

it("asks by groups of warehouses from the next poll on where the platform lists as many as it may, which may not be all", async () => {
  const counts = { A: 110, B: 90, C: 30, D: 20 };
  const list = createBusyPlatform(counts);
  expect([await list(), await list(), await list()]).toEqual([
    ["A,B,C,D", 200],
    ["A,B C D", 250],
    ["A B C D", 250],
  ]);
  counts.A = 20;
  // All of them fit again, with room for more.
  expect([await list(), await list()]).toEqual([
    ["A B C D", 160],
    ["A B C D", 160],
  ]);
  counts.B = 79;
  expect([await list(), await list()]).toEqual([
    ["A B C D", 149],
    ["A,B,C,D", 149],
  ]);
});

it("asks for one warehouse's offers in one call, however many those are", async () => {
  const list = createBusyPlatform({ A: 300 });
  expect([await list(), await list()]).toEqual([
    ["A", 200],
    ["A", 200],
  ]);
  const both = createBusyPlatform({ A: 7, B: 300 });
  expect([await both(), await both(), await both(1), await both(1)]).toEqual([
    ["A,B", 200],
    ["A B", 207],
    ["A", 7],
    ["B", 200],
  ]);
});
