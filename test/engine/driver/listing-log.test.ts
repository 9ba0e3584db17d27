import { DatabaseSync } from "node:sqlite";
import { expect, it, vi } from "vitest";
import { parseListingRow } from "../../../db/shapes/log/listing.ts";
import type { Block, Offer } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { ListingLog } from "../../../durable/driver/logs/listing-log.ts";
import type { DriverState, Effect, MachineEvent } from "../../../durable/engine/state/types.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { activeState, idOf, makeBlock, makeOffer, makeProfile, NOON } from "../fixtures.ts";
import { transientState } from "../parts.ts";

const BLOCK = makeBlock(makeOffer("a"));

/** The log of a driver's object, and what it has written of the driver's blocks. */
function open() {
  const store = openStore(new DatabaseSync(":memory:"));
  const log = new ListingLog(store);
  const read = vi.spyOn(store.listings, "page");
  const holding = (held: Block[], blocksReadAt: number | null = NOON): DriverState => {
    const state = activeState({ held });
    return { ...state, contact: { ...state.contact, blocksReadAt } };
  };
  const step = (before: DriverState, state: DriverState, now: number) =>
    log.note({ before, state, event: { kind: "woke" }, effects: [] }, now);
  const written = () =>
    store.listings
      .page({ after: 0, limit: 100 })
      .flatMap(parseListingRow)
      .map(({ held, freed }) => [held.map(({ blockId }) => blockId), freed]);
  return { store, holding, step, written, read };
}

it("logs a block from when it is held until it is no more, also once it is over, and reads no row for that", () => {
  const { holding, step, written, read } = open();
  step(holding([]), holding([BLOCK]), NOON);
  step(holding([BLOCK]), holding([]), BLOCK.endsAt + HOUR_MS);
  expect(read).toHaveBeenCalledTimes(0);
  expect(written()).toEqual([
    [[BLOCK.blockId], []],
    [[], [BLOCK.blockId]],
  ]);
});

it("says of a block that had begun whether a list which would show it lacks it", () => {
  const { store, holding, step } = open();
  const [before, after] = [holding([BLOCK]), holding([])];
  const read = (fields: Partial<DriverState["transient"]>) => ({
    ...after,
    transient: { ...after.transient, heldReadFrom: BLOCK.startsAt, ...fields },
  });
  const { startsAt, endsAt } = BLOCK;
  step(holding([]), before, NOON);
  step(before, read({}), startsAt - 1);
  step(before, read({}), startsAt);
  step(before, read({ heldReadFrom: startsAt + 1 }), startsAt + 1);
  step(before, read({ unreadableHeld: [{ startsAt, endsAt }] }), startsAt + 2);
  step(holding([BLOCK], null), read({}), startsAt + 3);
  const rows = store.listings.page({ after: 0, limit: 100 }).flatMap(parseListingRow);
  expect(rows.flatMap(({ at, returned }) => (returned ? [[at, returned]] : []))).toEqual([
    [startsAt, [BLOCK.blockId]],
  ]);
});

it("knows from its rows what was held before a new link forgot it", () => {
  const { holding, step, written, read } = open();
  step(holding([]), holding([BLOCK]), NOON);
  step(holding([], null), holding([BLOCK]), NOON + 1);
  expect(read).toHaveBeenCalledTimes(1);
  step(holding([], null), holding([]), NOON + 2);
  expect(written()).toEqual([
    [[BLOCK.blockId], []],
    [[], [BLOCK.blockId]],
  ]);
});

/** The log of an object that polls, what it was told to keep, and the rows that are stored. */
function openPolling() {
  const database = new DatabaseSync(":memory:");
  const store = openStore(database);
  const log = new ListingLog(store);
  const listing = (
    offers: readonly Offer[],
    fields: Partial<DriverState> = {},
    polledAt = NOON,
  ): DriverState => {
    const verdicts = offers.map((offer) => {
      const verdict = { offer, reasons: [], filtersVersion: 1, judgedAt: NOON, firstSeenAt: NOON };
      return [offer.offerId, verdict] as const;
    });
    const transient = { openOfferIds: offers.map(({ offerId }) => offerId), lastPollAnsweredAt: polledAt };
    return transientState(transient, { verdicts: new Map(verdicts), ...fields });
  };
  const poll = (before: DriverState, state: DriverState, now: number, effects: readonly Effect[] = []) => {
    const event = { kind: "polled", outcome: { kind: "offers" } } as unknown as MachineEvent;
    log.note({ before, state, event, effects }, now);
  };
  const rows = () => store.listings.page({ after: 0, limit: 100 }).map(parseListingRow);
  return { store, log, listing, poll, rows, later: () => new ListingLog(store) };
}

const NOTHING = { isAfterPause: false, seen: [], left: [], held: [], freed: [] };
const [first, second] = [makeOffer("a"), makeOffer("b")];

it("stores what was listed once five minutes have passed, in one row", () => {
  const { listing, poll, rows } = openPolling();
  const [none, one, both] = [listing([]), listing([first]), listing([first, second])];
  const due = NOON + 5 * MINUTE_MS;
  poll(none, one, NOON);
  poll(listing([first], {}, due - 2), both, due - 1);
  expect(rows()).toEqual([]);
  poll(listing([first, second], {}, due - 1), listing([second]), due);
  expect(rows()).toEqual([
    [
      { ...NOTHING, at: NOON, seen: [first] },
      { ...NOTHING, at: due - 1, seen: [second] },
      { ...NOTHING, at: due, left: [first.offerId] },
    ],
  ]);
});

it("stores it also where the poll that is due brings nothing new", () => {
  const { listing, poll, rows } = openPolling();
  const one = listing([first]);
  poll(listing([]), one, NOON);
  poll(one, one, NOON + 5 * MINUTE_MS);
  expect(rows()).toEqual([[{ ...NOTHING, at: NOON, seen: [first] }]]);
});

it("stores it with an accept, which is written in any case", () => {
  const { listing, poll, rows } = openPolling();
  poll(listing([]), listing([first]), NOON, [{ kind: "accept", attempts: [] }]);
  expect(rows()).toHaveLength(1);
});

it.each([
  ["may sleep", NOON + 10_000, 1],
  ["wakes by nothing", null, 1],
  ["stays awake", NOON + 9_999, 0],
])("stores it before an object leaves memory: one that %s", (_name, wakesAt, stored) => {
  const { log, listing, poll, rows } = openPolling();
  poll(listing([]), listing([first]), NOON);
  log.keep(NOON, wakesAt);
  log.keep(NOON, wakesAt);
  expect(rows()).toHaveLength(stored);
});

it.each<[string, Partial<Offer>, isSeen: boolean]>([
  ["pay", { payCents: 9_500 }, true],
  ["start", { startsAt: first.startsAt + MINUTE_MS, endsAt: first.endsAt }, true],
  ["end", { endsAt: first.endsAt + MINUTE_MS }, true],
  ["warehouse", { warehouseId: idOf.warehouse("DBK1") }, true],
  ["type of work", { serviceType: "grocery" }, true],
  ["currency", { currency: "MXN" }, true],
  ["surge", { surge: true }, false],
  ["end of its listing", { expiresAt: first.expiresAt + MINUTE_MS }, false],
])("notes an offer whose %s changed once more, if that is of its terms", (_name, fields, isSeen) => {
  const { log, listing, poll, rows, later } = openPolling();
  const changed = makeOffer("a", fields);
  const [before, after] = [listing([first]), listing([changed])];
  poll(listing([]), before, NOON);
  log.store();
  // A log of another life of the object knows the terms of what was listed.
  later().note(
    {
      before,
      state: after,
      event: { kind: "polled", outcome: { kind: "offers" } } as never,
      effects: [{ kind: "accept", attempts: [] }],
    },
    NOON + 1,
  );
  poll(before, after, NOON + 1, [{ kind: "accept", attempts: [] }]);
  const noted = { ...NOTHING, at: NOON + 1, seen: [changed] };
  expect(rows().slice(1)).toEqual(isSeen ? [[noted], [noted]] : []);
});

it("keeps what a part of a long list can't show after a restart, until the list or its own part lacks it", () => {
  const elsewhere = makeOffer("b", { warehouseId: idOf.warehouse("DBK1") });
  const expired = makeOffer("c", { warehouseId: elsewhere.warehouseId, expiresAt: NOON + 1 });
  const { store, log, listing, poll, rows, later } = openPolling();
  const whole = listing([first, elsewhere, expired]);
  poll(listing([]), whole, NOON);
  log.store();
  const leftAfter = (...parts: (string[] | undefined)[]) => {
    const restarted = later();
    const state = transientState({ openOfferIds: [first.offerId] }, { verdicts: whole.verdicts });
    const before = transientState({ openOfferIds: [] }, { verdicts: whole.verdicts });
    const known = rows().length;
    for (const [index, partOf] of parts.entries()) {
      const event = { kind: "polled", outcome: { kind: "offers", partOf } } as unknown as MachineEvent;
      restarted.note({ before, state: { ...state }, event, effects: [] }, NOON + 1 + index);
    }
    restarted.store();
    const left = rows()
      .slice(known)
      .flat()
      .map((change) => [change.at, change.left]);
    store.state.write("listedOffers", [first.offerId, elsewhere.offerId, expired.offerId]);
    return left;
  };
  const { warehouseId: bethpage } = first;
  expect(leftAfter([bethpage])).toEqual([[NOON + 1, [expired.offerId]]]);
  expect(leftAfter([bethpage], [elsewhere.warehouseId])).toEqual([
    [NOON + 1, [expired.offerId]],
    [NOON + 2, [elsewhere.offerId]],
  ]);
  expect(leftAfter(undefined)).toEqual([[NOON + 1, [elsewhere.offerId, expired.offerId]]]);
});

it("ends the listing with the watch, and begins it anew though it is the same", () => {
  const { log, listing, poll, rows } = openPolling();
  const on = listing([first]);
  const off = listing([first], { profile: makeProfile({ switchedOn: false }) });
  poll(listing([]), on, NOON);
  const end = (now: number) =>
    log.note({ before: on, state: off, event: { kind: "woke" }, effects: [] }, now);
  end(NOON + 1);
  poll(on, on, NOON + 2);
  log.store();
  expect(rows()).toEqual([
    [
      { ...NOTHING, at: NOON, seen: [first] },
      { ...NOTHING, at: NOON + 1, isAfterPause: true, pausedFrom: NOON, left: [first.offerId] },
      { ...NOTHING, at: NOON + 2, seen: [first] },
    ],
  ]);
});

it("notes nothing of an answer that arrives after the watch has ended", () => {
  const { log, listing, poll, rows } = openPolling();
  const on = listing([first]);
  const off = listing([first], { profile: makeProfile({ switchedOn: false }) });
  poll(listing([]), on, NOON);
  log.note({ before: on, state: off, event: { kind: "woke" }, effects: [] }, NOON + 1);
  poll(off, off, NOON + 2);
  log.store();
  expect(rows().map((row) => row.map(({ at, seen, left }) => [at, seen.length, left.length]))).toEqual([
    [
      [NOON, 1, 0],
      [NOON + 1, 0, 1],
    ],
  ]);
});

it.each([
  ["the one before was answered", NOON, 2 * MINUTE_MS, { isAfterPause: false }],
  ["none was answered for two minutes", NOON, 2 * MINUTE_MS + 1, { isAfterPause: true }],
  ["nobody watched for ten minutes", NOON, 10 * MINUTE_MS + 1, { isAfterPause: true, pausedFrom: NOON }],
])("knows how exactly an offer came that is listed after %s", (_name, answeredAt, laterMs, expected) => {
  const { log, listing, poll, rows } = openPolling();
  poll(listing([], {}, answeredAt), listing([first]), answeredAt + laterMs);
  log.store();
  expect(rows()).toEqual([[{ ...NOTHING, ...expected, at: answeredAt + laterMs, seen: [first] }]]);
});

it("splits what one row has no room for, at the same instant", () => {
  const { log, listing, poll, rows } = openPolling();
  const many = Array.from({ length: 4_001 }, (_, index) => makeOffer(`of-${index}`));
  poll(listing([]), listing(many), NOON);
  log.store();
  expect(rows().map((row) => row.map(({ at, seen }) => [at, seen.length]))).toEqual([
    [[NOON, 2_000]],
    [[NOON, 2_000]],
    [[NOON, 1]],
  ]);
  expect(rows().flatMap((row) => row.flatMap(({ seen }) => seen))).toEqual(many);
});

it("forgets what belongs to a storage that was deleted", () => {
  const { log, listing, poll, rows } = openPolling();
  poll(listing([]), listing([first]), NOON);
  log.forget();
  log.store();
  expect(rows()).toEqual([]);
});
