import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { activeState, makeBlock, makeOffer, NOON } from "../fixtures.ts";
import { byId, inDoubt, makeAttempt } from "../parts.ts";

const RETENTION_MS = 30 * DAY_MS;

/** An object's storage, which the next start reads. */
function open() {
  const database = new DatabaseSync(":memory:");
  const store = openStore(database, () => NOON);
  /** As the next start reads them. */
  const kept = () => {
    const { openAttempts, doubtedAttempts } = openStore(database, () => NOON).load(none);
    return { open: [...openAttempts.values()], doubted: [...doubtedAttempts.values()] };
  };
  const rows = () => database.prepare(`SELECT count(*) AS rows FROM attempts`).get()?.["rows"];
  return { database, store, kept, rows };
}

const none = activeState();
const holding = (open: readonly Attempt[], doubted: readonly Attempt[] = []): DriverState => ({
  ...none,
  openAttempts: byId(...open),
  doubtedAttempts: byId(...doubted),
});

const pending = makeAttempt("1", makeOffer("a"));
const unknown = makeAttempt("1", makeOffer("a"), inDoubt(1, NOON));
const lost: Attempt = { ...unknown, endedAt: NOON, outcome: { status: "lost", reason: "offer_gone" } };
const other = makeAttempt("2", makeOffer("b"), { payAtLeastCents: 7_000 });

it("has after a restart each attempt as it was last, open or in doubt, until it is settled for good", () => {
  const { store, kept } = open();
  const states = [
    holding([pending]),
    holding([unknown, other]),
    holding([other], [lost]),
    holding([], [lost]),
    holding([lost]),
    none,
  ];
  let before = none;
  for (const state of states) {
    store.save(before, state);
    expect(kept()).toEqual({
      open: [...state.openAttempts.values()],
      doubted: [...state.doubtedAttempts.values()],
    });
    before = state;
  }
});

it("writes an attempt when it changes, and no other beside it", () => {
  const { database, store } = open();
  const written = () => Number(database.prepare(`SELECT total_changes() AS changes`).get()?.["changes"]);
  store.save(none, holding([pending, other]));
  const before = written();
  store.save(holding([pending, other]), holding([unknown, other]));
  expect(written() - before).toBe(1);
});

it("forgets attempts that earlier versions kept though they were won", () => {
  const { store, kept, rows } = open();
  const won: Attempt = { ...other, outcome: { status: "won", block: makeBlock(other.offer) } };
  store.save(none, holding([], [lost, won]));
  expect(rows()).toBe(2);
  expect(kept()).toEqual({ open: [], doubted: [lost] });
  expect(rows()).toBe(1);
});

it.each<[string, value: unknown, open: 0 | 1, recovered: Partial<Attempt> | null]>([
  [
    "an open one is as one whose answer got lost",
    { offer: pending.offer, createdAt: NOON - HOUR_MS },
    1,
    { createdAt: NOON - HOUR_MS, ...inDoubt(1, NOON - HOUR_MS) },
  ],
  [
    "an open one without its instant is of long ago",
    { offer: pending.offer },
    1,
    { createdAt: 0, ...inDoubt(1, 0) },
  ],
  ["an open one without its offer is dropped", { createdAt: NOON }, 1, null],
  ["an open one that is no JSON is dropped", null, 1, null],
  ["one in doubt is dropped", { offer: pending.offer, createdAt: NOON }, 0, null],
])("of attempts that can't be read, %s", (_name, value, isOpen, recovered) => {
  const { database, kept, rows } = open();
  const text = value === null ? "{" : JSON.stringify(value);
  database
    .prepare(`INSERT INTO attempts (attempt_id, value, open, version) VALUES (?, ?, ?, 1)`)
    .run(pending.attemptId, text, isOpen);
  expect(kept()).toEqual({ open: recovered ? [{ ...pending, ...recovered }] : [], doubted: [] });
  expect(rows()).toBe(recovered ? 1 : 0);
});

it("drops an open attempt whose id no attempt can have", () => {
  const { database, kept, rows } = open();
  database
    .prepare(`INSERT INTO attempts (attempt_id, value, open, version) VALUES ('', ?, 1, 1)`)
    .run(JSON.stringify({ offer: pending.offer }));
  expect(kept()).toEqual({ open: [], doubted: [] });
  expect(rows()).toBe(0);
});

it("keeps what is in doubt until the log forgets the block's end, and what is open for good", () => {
  const { store, kept } = open();
  const { endsAt } = lost.offer;
  store.save(none, holding([other], [lost]));
  store.prune(endsAt + RETENTION_MS);
  expect(kept()).toEqual({ open: [other], doubted: [lost] });
  store.prune(endsAt + RETENTION_MS + 1);
  expect(kept()).toEqual({ open: [other], doubted: [] });
});

it("drops what is in doubt and may be over, because nobody can read its end", () => {
  const { database, store, rows } = open();
  const insert = database.prepare(
    `INSERT INTO attempts (attempt_id, value, open, version) VALUES (?, ?, 0, 1)`,
  );
  for (const [id, value] of [
    ["1", "{"],
    ["2", "{}"],
  ])
    insert.run(String(id), String(value));
  store.prune(NOON);
  expect(rows()).toBe(0);
});
