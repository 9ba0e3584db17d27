import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { beforeEach, expect, it } from "vitest";
import { LiveSessionTable } from "../../../durable/driver/storage/tables/live-sessions.ts";

const NOW = 1_800_000_000_000;
const HOUR = 3_600_000;

let database: DatabaseSync;
let table: LiveSessionTable;
beforeEach(() => {
  database = new DatabaseSync(":memory:");
  database.exec(
    `CREATE TABLE live_sessions (session_id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID`,
  );
  table = open();
});

/** The object's next life, with what its storage has. */
function open(): LiveSessionTable {
  const exec = (query: string, ...bindings: SQLInputValue[]) => {
    const rows = database.prepare(query).all(...bindings);
    return { toArray: () => rows };
  };
  return new LiveSessionTable({ exec } as unknown as ConstructorParameters<typeof LiveSessionTable>[0]);
}

const isKnown = (session: string, now = NOW) => table.find(session, now).known;

/** Asks, and takes the database's answer, before which something else may happen. */
function ask(session: string, meanwhile = () => {}): void {
  const found = table.find(session, NOW);
  if (found.known) return;
  meanwhile();
  table.confirm(session, found.asking, NOW);
}

it("knows a session for an hour after the database found it live, in the object's next life too", () => {
  expect(isKnown("a")).toBe(false);
  ask("a");
  table = open();
  expect([isKnown("a"), isKnown("a", NOW + HOUR - 1), isKnown("a", NOW + HOUR), isKnown("b")]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

it("forgets a session that ends, and no other", () => {
  ask("a");
  ask("b");
  table.keepSessions(["b", "c"]);
  expect([isKnown("a"), isKnown("b"), isKnown("c")]).toEqual([false, true, false]);
  table.keepSessions([]);
  expect(isKnown("b")).toBe(false);
});

it("takes no answer from before an end, nor from an earlier life", () => {
  ask("a", () => table.keepSessions([]));
  ask("b", () => {
    table.keepSessions([]);
    table.find("b", NOW);
  });
  ask("c", () => {
    table = open();
  });
  expect([isKnown("a"), isKnown("b"), isKnown("c")]).toEqual([false, false, false]);
});

it("asks again after the clock was set back, and keeps no rows that are over", () => {
  ask("a");
  expect(isKnown("a", NOW - 1)).toBe(false);
  const later = table.find("b", NOW + HOUR);
  if (!later.known) table.confirm("b", later.asking, NOW + HOUR);
  expect(database.prepare(`SELECT session_id FROM live_sessions`).all()).toEqual([{ session_id: "b" }]);
});
