import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  readServiceLedger,
  serviceUntilOf,
  serviceUsedMs,
  type ServiceEntry,
} from "../../db/queries/payments/service-time.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import { draws } from "../support/draws.ts";

const NOON = Date.parse("2026-11-21T12:00:00Z");

/** An entry of so many days, so many days after noon. */
const entry = (source: string, days: number, after: number): ServiceEntry => ({
  source,
  durationMs: days * DAY_MS,
  at: NOON + after * DAY_MS,
});

const daysLeft = (entries: ServiceEntry[], after: number) =>
  (Number(serviceUntilOf(entries)) - (NOON + after * DAY_MS)) / DAY_MS;

describe("the service ledger", () => {
  it("keeps newer paid days when an old payment is refunded that is used up", () => {
    const entries = [
      entry("payment:old", 7, 0),
      entry("payment:new", 7, 7),
      entry("payment:old:re_1", -7, 7),
    ];
    expect(daysLeft(entries, 7)).toBe(7);
    expect(readServiceLedger(entries).appliedMs.get("payment:old:re_1")).toBe(0);
  });

  it("takes no more than what is unused of its payment, so that service is never below zero", () => {
    const entries = [entry("payment:a", 30, 0), entry("payment:a:re_1", -10, 25)];
    expect(daysLeft(entries, 25)).toBe(0);
    expect(readServiceLedger(entries).appliedMs.get("payment:a:re_1")).toBe(-5 * DAY_MS);
  });

  it("gives back what was taken, and not the plan anew", () => {
    const entries = [
      entry("payment:a", 7, 0),
      entry("payment:a:re_1", -7, 6),
      entry("payment:a:re_1:undone", 7, 8),
    ];
    expect(daysLeft(entries, 8)).toBe(1);
  });

  it("uses the oldest grant first", () => {
    const entries = [entry("payment:a", 3, 0), entry("payment:b", 7, 1)];
    const { unusedMs } = readServiceLedger(entries, NOON + 4 * DAY_MS);
    expect([...unusedMs]).toEqual([
      ["payment:a", 0],
      ["payment:b", 6 * DAY_MS],
    ]);
  });

  it.each([
    ["all of a span that it covers", [entry("payment:a", 7, 0)], 2, 5, { "payment:a": 3 }],
    ["nothing after its end", [entry("payment:a", 3, 0)], 3, 9, {}],
    ["what was given and ran out in the span", [entry("reward:a", 2, 3)], 1, 9, { "reward:a": 2 }],
    [
      "not what was taken back",
      [entry("payment:a", 7, 0), entry("payment:a:re_1", -7, 4)],
      2,
      9,
      { "payment:a": 2 },
    ],
    [
      "of one after the other",
      [entry("reward:a", 2, 0), entry("reward:b", 2, 0)],
      1,
      3,
      { "reward:a": 1, "reward:b": 1 },
    ],
    ["nothing where there is none", [], 0, 9, {}],
  ])("ran in a span: %s", (_what, entries, from, to, days) => {
    const used = serviceUsedMs(entries, { from: NOON + from * DAY_MS, to: NOON + to * DAY_MS });
    expect(Object.fromEntries([...used].map(([source, ms]) => [source, ms / DAY_MS]))).toEqual(days);
  });

  it("starts a grant that comes after the end at its own instant", () => {
    expect(daysLeft([entry("payment:a", 3, 0), entry("payment:b", 7, 10)], 10)).toBe(7);
  });

  it("keeps an end that has passed where a debit finds nothing to take", () => {
    expect(daysLeft([entry("payment:a", 3, 0), entry("payment:a:re_1", -3, 10)], 3)).toBe(0);
  });

  it("has no end where nothing was ever granted", () => {
    expect(serviceUntilOf([])).toBeNull();
  });

  it("takes from the oldest where a debit names no grant", () => {
    const entries = [entry("payment:a", 3, 0), entry("payment:b", 7, 0), entry("operator:1", -4, 0)];
    expect([...readServiceLedger(entries).unusedMs.values()]).toEqual([0, 6 * DAY_MS]);
  });

  const step = fc.record({
    payment: fc.nat(3),
    kind: fc.constantFrom("grant", "debit", "return"),
    days: fc.integer({ min: 0, max: 30 }),
    wait: fc.integer({ min: 0, max: 20 }),
  });

  /** Entries as they could be written, wrong amounts included. */
  const history = fc.array(step, { maxLength: 14 }).map((steps) => {
    let after = 0;
    const [grants, debits]: [string[], string[]] = [[], []];
    return steps.flatMap(({ payment, kind, days, wait }, index): ServiceEntry[] => {
      after += wait / 2;
      const own = grants[payment % Math.max(1, grants.length)];
      if (kind === "grant" || own === undefined) {
        grants.push(`payment:${index}`);
        return [entry(`payment:${index}`, days, after)];
      }
      if (kind === "debit") {
        debits.push(`${own}:re_${index}`);
        return [entry(`${own}:re_${index}`, -days, after)];
      }
      const debit = debits.pop();
      return debit === undefined ? [] : [entry(`${debit}:undone`, days, after)];
    });
  });

  it("is never below zero, takes no more than is unused, and adds up, for any entries", () => {
    fc.assert(
      fc.property(history, (entries) => {
        for (let count = 1; count <= entries.length; count += 1) {
          const [before, last] = [entries.slice(0, count - 1), entries[count - 1]];
          if (!last) continue;
          const { unusedMs } = readServiceLedger(before, last.at);
          const after = readServiceLedger(entries.slice(0, count));
          const applied = after.appliedMs.get(last.source) ?? 0;
          for (const left of after.unusedMs.values()) expect(left).toBeGreaterThanOrEqual(0);
          const own = [...unusedMs].find(([source]) => last.source.startsWith(`${source}:`));
          if (own && applied < 0) expect(-applied).toBeLessThanOrEqual(own[1]);
          if (last.source.endsWith(":undone")) {
            const taken = after.appliedMs.get(last.source.slice(0, -7)) ?? 0;
            expect(applied).toBeLessThanOrEqual(0 - taken + 0);
          }
          // Service that runs from here on is exactly the unused part.
          const left = [...after.unusedMs.values()].reduce((sum, ms) => sum + ms, 0);
          expect(Math.max(0, Number(after.until) - last.at)).toBe(left);
        }
      }),
      draws({ whole: 3_000, usual: 600 }),
    );
  });
});
