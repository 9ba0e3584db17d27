import { expect, it } from "vitest";
import { insertFeedback, weekOf, WEEK_MS } from "../../db/queries/operators/feedback.ts";
import { driverId } from "../../db/shapes/units.ts";
import { loadFeedback } from "../../worker/console/voice.ts";
import { DAY_MS, NOW } from "../payments/checkout-harness.ts";
import { ANA, BIA, openDesk } from "./desk.ts";

it("counts scores by the weeks of twelve that begin on Mondays, from nine on for us and up to six against", async () => {
  const at = openDesk();
  const monday = weekOf(NOW);
  expect(new Date(monday).toUTCString()).toBe("Mon, 16 Nov 2026 00:00:00 GMT");
  const add = (id: string, when: number, score: number | null) =>
    at.run(`INSERT INTO feedback (id, driver_id, score, at) VALUES (?, ?, ?, ?)`, id, ANA, score, when);
  for (const [index, score] of [9, 8, 7, 6, null].entries()) add(`now ${index}`, monday + index, score);
  add("last", monday - 1, 10);
  add("first", monday - 11 * WEEK_MS, 0);
  add("before", monday - 11 * WEEK_MS - 1, 0);
  const { weeks } = await loadFeedback(at.as("owner"), undefined);
  expect(weeks).toEqual([
    { at: monday, answers: 4, skipped: 1, average: 7.5, net: 0 },
    { at: monday - WEEK_MS, answers: 1, skipped: 0, average: 10, net: 100 },
    { at: monday - 11 * WEEK_MS, answers: 1, skipped: 0, average: 0, net: -100 },
  ]);
});

it("stores one answer of a driver in so long a time, and none of a driver who is gone", async () => {
  const at = openDesk();
  const answer = { score: 9, comment: null, everyMs: DAY_MS };
  const gone = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a09");
  for (const [driver, when] of [
    [ANA, NOW],
    [ANA, NOW + DAY_MS - 1],
    [BIA, NOW + 1],
    [ANA, NOW + DAY_MS],
    [gone, NOW],
  ] as const)
    await insertFeedback(at.checkout.db, { ...answer, id: crypto.randomUUID(), driverId: driver, at: when });
  expect(at.rows(`SELECT driver_id, at - ${NOW} AS later FROM feedback ORDER BY at`)).toEqual([
    { driver_id: ANA, later: 0 },
    { driver_id: BIA, later: 1 },
    { driver_id: ANA, later: DAY_MS },
  ]);
});
