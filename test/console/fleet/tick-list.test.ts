import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { beforeEach, expect, it } from "vitest";
import { MAX_TICKED, TickList } from "../../../durable/watch/tick-list.ts";

const NOW = 1_800_000_000_000;
const NOBODY: string[] = [];

let database: DatabaseSync;
let list: TickList;
beforeEach(() => {
  database = new DatabaseSync(":memory:");
  list = open();
});

/** A ticker's next life, with what its storage has. */
function open(roll = () => 0): TickList {
  const exec = (query: string, ...bindings: SQLInputValue[]) => {
    const rows = database.prepare(query).all(...bindings);
    return { toArray: () => rows };
  };
  return new TickList({ exec } as unknown as ConstructorParameters<typeof TickList>[0], { now: NOW, roll });
}

/** Calls each object whenever it is due, until an instant. @returns how often each was called */
function callAll(until: number, answer: (at: number) => number): Map<string, number> {
  const calls = new Map<string, number>();
  for (let at = list.nextAt(); at !== null && at < until; at = list.nextAt()) {
    for (const name of list.take(at, MAX_TICKED)) {
      calls.set(name, (calls.get(name) ?? 0) + 1);
      list.answered(name, answer(at));
    }
  }
  return calls;
}

it("calls who is due, the first to be due first, and none twice at a time", () => {
  list.add("late", NOW + 5);
  list.add("second", NOW - 1);
  list.add("first", NOW - 2);
  expect(list.nextAt()).toBe(NOW - 2);
  expect(list.take(NOW, 1)).toEqual(["first"]);
  expect(list.take(NOW, 9)).toEqual(["second"]);
  expect(list.take(NOW, 9)).toEqual(NOBODY);
  expect(list.nextAt()).toBe(NOW + 5);
});

it("goes on by each answer, until it is none", () => {
  list.add("a", NOW);
  list.take(NOW, 9);
  expect(list.nextAt()).toBeNull();
  expect(list.answered("a", NOW + 1000)).toBe(NOW + 1000);
  expect(list.nextAt()).toBe(NOW + 1000);
  list.take(NOW + 1000, 9);
  list.answered("a", null);
  expect(list.isEmpty).toBe(true);
  expect(open().isEmpty).toBe(true);
});

it("takes what an object asks for meanwhile for newer than its answer", () => {
  list.add("a", NOW);
  list.take(NOW, 9);
  list.add("a", NOW + 10);
  list.answered("a", null);
  expect(list.take(NOW + 10, 9)).toEqual(["a"]);
});

it("tries a failed call again until the object's own alarm has fired", () => {
  list.add("a", NOW);
  const waits: number[] = [];
  for (let at: number | null = NOW; at !== null;) {
    expect(list.take(at, 9)).toEqual(["a"]);
    const next: number | null = list.failed("a", at);
    if (next !== null) waits.push(next - at);
    at = next;
  }
  expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 32_000]);
  expect(waits.reduce((sum, wait) => sum + wait, 0)).toBeGreaterThan(60_000);
  expect(list.isEmpty).toBe(true);
});

it("calls every object of a thousand as often as it is due, and takes no more of them", () => {
  const names = Array.from({ length: MAX_TICKED }, (_, index) => `driver ${index}`);
  for (const [index, name] of names.entries()) expect(list.add(name, NOW + index)).toBe(true);
  expect(list.add("one more", NOW)).toBe(false);
  const calls = callAll(NOW + 10_000, (at) => at + 1000);
  expect([calls.size, new Set(calls.values())]).toEqual([MAX_TICKED, new Set([10])]);
  // One that it calls already may ask again.
  expect(list.add("driver 0", NOW)).toBe(true);
  list.take(NOW, 1);
  list.answered("driver 0", null);
  expect(list.add("one more", NOW)).toBe(true);
});

it("calls all of them after its memory is lost, spread over less than half a second", () => {
  for (let index = 0; index < MAX_TICKED; index += 1) list.add(`driver ${index}`, NOW + 900_000);
  let rolled = 0;
  list = open(() => (rolled += 1) / (MAX_TICKED + 1));
  const taken = Array.from({ length: 5 }, (_, index) => list.take(NOW + 100 * index, MAX_TICKED).length);
  expect(taken.slice(1).every((count) => count >= 240 && count <= 260)).toBe(true);
  expect(taken.reduce((sum, count) => sum + count, 0)).toBe(MAX_TICKED);
});
