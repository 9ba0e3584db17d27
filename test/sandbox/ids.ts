import { digest } from "./chance.ts";
import type { Table } from "./table.ts";

/** An id that is unique even across resets, so that a client's data from one world never matches another. */
export function nextId(state: { counters: Table<number> }, prefix: string): string {
  const count = countUp(state.counters, prefix);
  return `${prefix}_${count}_${digest(`${prefix}:${count}`).slice(0, 6)}`;
}

/** Counts from 1. */
export function countUp(counters: Table<number>, name: string): number {
  const count = (counters.get(name) ?? 0) + 1;
  counters.set(name, count);
  return count;
}
