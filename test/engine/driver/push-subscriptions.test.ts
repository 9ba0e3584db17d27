import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import type { StoredSubscription } from "../../../durable/driver/storage/stored-shapes.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { NOON } from "../fixtures.ts";

function open(database = new DatabaseSync(":memory:"), vapidKey: string | null = null) {
  const store = openStore(database, () => NOON, vapidKey);
  const rows = () => database.prepare(`SELECT endpoint FROM push_subscriptions ORDER BY id`).all().length;
  return { store, table: store.pushSubscriptions, database, rows };
}

const browser = (name: string, session: StoredSubscription["session"] = null): StoredSubscription => ({
  endpoint: `https://push.test/${name}`,
  keys: { p256dh: `p of ${name}`, auth: `a of ${name}` },
  session,
});
const until = (id: string, expiresAt = NOON + HOUR_MS) => ({ id, expiresAt });

describe("the browsers that get pushes", () => {
  it("are ten at most, of which the oldest makes room for the next", () => {
    const { table } = open();
    const eleven = Array.from({ length: 11 }, (_, index) => browser(`b-${index}`));
    for (const one of eleven.slice(0, 10)) table.add(one);
    expect(table.list(NOON)).toEqual(eleven.slice(0, 10));
    table.add(browser("b-10"));
    expect(table.list(NOON)).toEqual(eleven.slice(1));
  });

  it("count once each: one that subscribes again has its new keys and session, and is the newest", () => {
    const { table } = open();
    const again = { ...browser("a", until("s-2")), keys: { p256dh: "new", auth: "new" } };
    for (const one of [browser("a", until("s-1")), browser("b"), again]) table.add(one);
    expect(table.list(NOON)).toEqual([browser("b"), again]);
    expect(table.find(again.endpoint, NOON)).toEqual(again);
  });

  it("lose theirs with the end of their sign-in, of which the driver is told", () => {
    const { store, table, rows } = open();
    const [ended, lasting] = [
      browser("ended", until("s-1", NOON)),
      browser("lasting", until("s-2", NOON + 1)),
    ];
    table.add(ended);
    table.add(lasting);
    expect(table.find(lasting.endpoint, NOON)).toEqual(lasting);
    expect(store.state.pushLostAt()).toBeNull();
    expect(table.find(ended.endpoint, NOON)).toBeNull();
    expect([rows(), store.state.pushLostAt()]).toEqual([1, NOON]);
    expect(table.list(NOON + 1)).toEqual([]);
    expect([rows(), store.state.pushLostAt()]).toEqual([0, NOON + 1]);
  });

  it("lose theirs where the push service no longer knows it, until one subscribes again", () => {
    const { store, table } = open();
    table.add(browser("a"));
    table.lose(browser("a").endpoint, NOON);
    expect([table.list(NOON), store.state.pushLostAt()]).toEqual([[], NOON]);
    table.add(browser("b"));
    expect(store.state.pushLostAt()).toBeNull();
  });

  it("lose theirs at their own wish without a word", () => {
    const { store, table } = open();
    for (const name of ["a", "b"]) table.add(browser(name));
    table.remove(browser("a").endpoint);
    expect([table.list(NOON), store.state.pushLostAt()]).toEqual([[browser("b")], null]);
  });

  it("keep theirs only with a session that lasts, when others are ended", () => {
    const { table } = open();
    const [mine, other, ofBefore] = [
      browser("mine", until("s-1")),
      browser("other", until("s-2")),
      browser("old"),
    ];
    for (const one of [mine, other, ofBefore]) table.add(one);
    table.keepSessions(["s-1", "s-3"], NOON);
    expect(table.list(NOON)).toEqual([mine]);
    table.keepSessions([], NOON);
    expect(table.list(NOON)).toEqual([]);
  });

  it("lose theirs with the deployment's keys, of which the driver is told, and have them back with those", () => {
    const { database, table } = open(undefined, "one");
    const session = until("s-1");
    for (const name of ["a", "b"]) table.add(browser(name, session));
    const { table: other, store, rows } = open(database, "other");
    expect(other.find(browser("a").endpoint, NOON)).toBeNull();
    expect([other.list(NOON), store.state.pushLostAt()]).toEqual([[], NOON]);
    const again = open(database, "one").table.list(NOON);
    expect(again.map(({ endpoint }) => endpoint)).toEqual(["a", "b"].map((name) => browser(name).endpoint));
    // Those of former keys end as any other: with their sign-in, or once a browser has subscribed anew.
    other.keepSessions([], NOON);
    expect(rows()).toBe(0);
    table.add(browser("a", session));
    other.add(browser("c", session));
    expect(other.list(NOON).map(({ endpoint }) => endpoint)).toEqual([browser("c").endpoint]);
    expect([rows(), store.state.pushLostAt()]).toEqual([1, null]);
  });

  it("keep theirs where a former release noted no key, and lose them once today's was taken and is another's", () => {
    const database = new DatabaseSync(":memory:");
    open(database).table.add(browser("a"));
    const { table } = open(database, "one");
    expect(table.list(NOON)).toEqual([browser("a")]);
    table.confirm(browser("a"));
    expect(table.list(NOON)).toEqual([{ ...browser("a"), vapidKey: "one" }]);
    expect(open(database, "other").table.list(NOON)).toEqual([]);
  });

  it("lose what can't be read, to which nothing can be sent", () => {
    const { store, table, database, rows } = open();
    for (const name of ["a", "b", "c"]) table.add(browser(name));
    const spoil = database.prepare(`UPDATE push_subscriptions SET value = '{}' WHERE endpoint = ?`);
    for (const name of ["a", "c"]) spoil.run(browser(name).endpoint);
    expect(table.find(browser("a").endpoint, NOON)).toBeNull();
    expect(table.list(NOON)).toEqual([browser("b")]);
    expect([rows(), store.unreadable.count(), store.state.pushLostAt()]).toEqual([1, 2, null]);
  });
});

describe("the pushes of an announcement", () => {
  const counts = (sent: number, failed: number, pending: number) => ({ sent, failed, pending });

  it("are pending until each was sent or failed for good, and none where no browser got one", () => {
    const { store } = open();
    const { announcementPushes: table } = store;
    table.begin("a-1", 3, NOON);
    table.begin("a-2", 1, NOON);
    table.end("a-1", true);
    table.end("a-1", false);
    expect([table.of("a-1"), table.of("a-2"), table.of("a-3")]).toEqual([
      counts(1, 1, 1),
      counts(0, 0, 1),
      counts(0, 0, 0),
    ]);
    table.begin("a-1", 9, NOON);
    table.end("a-1", true);
    table.end("a-1", true);
    expect(table.of("a-1")).toEqual(counts(3, 1, 0));
  });

  it("are forgotten with what is older than the log", () => {
    const { announcementPushes: table } = open().store;
    table.begin("a-1", 1, NOON);
    table.prune(NOON);
    expect(table.of("a-1")).toEqual(counts(0, 0, 1));
    table.prune(NOON + 1);
    expect(table.of("a-1")).toEqual(counts(0, 0, 0));
  });
});

describe("a ticket", () => {
  it("is redeemed once, for as long as it could be used", () => {
    const { tickets } = open().store;
    const redeem = (id: string, now: number) => tickets.redeem(id, NOON + 1_000, now);
    expect([redeem("t-1", NOON), redeem("t-1", NOON), redeem("t-2", NOON)]).toEqual([true, false, true]);
    expect(redeem("t-1", NOON + 1_000)).toBe(false);
  });
});

describe("rows that can't be read", () => {
  it("are kept once for each value, fifty of a table, cut to what is of use", () => {
    const { store, database } = open();
    const { unreadable } = store;
    const setAside = (table: string, key: number, value: string) =>
      unreadable.setAside({ version: 1, value }, { table, key }, new TypeError("no"));
    setAside("events", 1, "x".repeat(70_000));
    setAside("events", 1, "y");
    setAside("events", 1, "y");
    const [row] = database.prepare(`SELECT source, key, value, error, at FROM unreadable_rows`).all();
    expect({ ...row }).toEqual({ source: "events", key: "1", value: "y", error: "TypeError", at: NOON });
    setAside("events", 2, "x".repeat(70_000));
    const lengths = database
      .prepare(`SELECT length(value) AS length FROM unreadable_rows ORDER BY key`)
      .all();
    expect(lengths.map(({ length }) => length)).toEqual([1, 65_536]);
    for (let key = 3; key < 60; key += 1) setAside("events", key, "x");
    setAside("outbox", 1, "x");
    expect(unreadable.count()).toBe(51);
    unreadable.prune(NOON);
    expect(unreadable.count()).toBe(51);
    unreadable.prune(NOON + 1);
    expect(unreadable.count()).toBe(0);
  });
});
