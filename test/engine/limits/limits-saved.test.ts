import { describe, expect, it } from "vitest";
import type { Limits } from "../../../db/shapes/work/filters.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { maySendAccept } from "../../../durable/engine/attempts/unsettled-attempts.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { accepted, kinds, makeBlock, NOON } from "../fixtures.ts";
import { DENVER, EARLY, judged, LATE, offerAt, profileWithin, within } from "./limited-driver.ts";
import { byId, makeAttempt } from "../parts.ts";
import { after, answer, listed, polled } from "../steps.ts";

describe("a limit that is saved while an accept is under way", () => {
  /** Beside a held block from 15:00 to 18:00 for $90, an attempt at one from 19:00 to 22:00 elsewhere. */
  const SAVED: [limits: Partial<Limits>, maySend: boolean][] = [
    [{ blocksPerDay: 1 }, false],
    [{ blocksPerDay: 2 }, true],
    [{ minutesPerDay: 359 }, false],
    [{ minutesPerDay: 360 }, true],
    [{ minutesPerWeek: 359 }, false],
    [{ minutesPerWeek: 360 }, true],
    [{ weekGoalCents: 9000 }, false],
    [{ weekGoalCents: 9001 }, true],
    [{ restMinutes: 61 }, false],
    [{ restMinutes: 60 }, true],
    [{ travelMinutes: 61 }, false],
    [{ travelMinutes: 60 }, true],
  ];
  const elsewhere = { ...LATE, warehouseId: DENVER };
  const save = (limits: Partial<Limits>) => ({
    kind: "profile_changed" as const,
    profile: profileWithin(limits, { revision: 2, filtersVersion: 2 }),
  });

  it.each(SAVED)("lets the accept leave only within it (%j: %s)", (limits, maySend) => {
    const attempt = makeAttempt("1", elsewhere);
    const state = within({}, { held: [makeBlock(EARLY)], openAttempts: byId(attempt) });
    expect(maySendAccept(state, attempt.attemptId, NOON)).toBe(true);
    const saved = after(state, save(limits)).state;
    expect(maySendAccept(saved, attempt.attemptId, NOON)).toBe(maySend);
  });

  it("lets none leave before the blocks of its whole week were read", () => {
    const attempt = makeAttempt("1", elsewhere);
    const day = { heldReadFrom: NOON - 2 * DAY_MS };
    const state = within({}, { openAttempts: byId(attempt) }, day);
    const may = (limits: Partial<Limits>) =>
      maySendAccept(after(state, save(limits)).state, attempt.attemptId, NOON);
    expect([may({ blocksPerDay: 9 }), may({ minutesPerWeek: 900 })]).toEqual([true, false]);
  });

  it("holds two accepts back that break it together, and lets one of them leave once the other is withdrawn", () => {
    const [one, two] = [makeAttempt("1", EARLY), makeAttempt("2", LATE)];
    const state = after(within({}, { openAttempts: byId(one, two) }), save({ blocksPerDay: 1 })).state;
    const may = (of: DriverState) => [one, two].map(({ attemptId }) => maySendAccept(of, attemptId, NOON));
    expect(may(state)).toEqual([false, false]);
    const withdrawn = after(state, {
      kind: "accepted",
      attemptId: one.attemptId,
      outcome: { kind: "withdrawn" },
    });
    expect(may(withdrawn.state)).toEqual([false, true]);
  });

  it("lets a withdrawn offer be tried again once the limit is raised", () => {
    const first = after(within({}, { held: [makeBlock(EARLY)] }), polled(LATE));
    const saved = { ...first, state: after(first.state, save({ blocksPerDay: 1 })).state };
    const withdrawn = answer(saved, { kind: "withdrawn" });
    expect(accepted(withdrawn.effects)).toEqual([]);
    const profile = profileWithin({ blocksPerDay: 2 }, { revision: 3, filtersVersion: 3 });
    const raised = after(withdrawn.state, { kind: "profile_changed", profile }, NOON + 200);
    expect(accepted(after(raised.state, polled(LATE), NOON + 3000).effects)).toEqual(["late"]);
  });

  it("has all blocks read that it counts, before anything is accepted", () => {
    const asked = after(
      within({ minutesPerWeek: 360 }, {}, { heldReadFrom: NOON - 2 * DAY_MS }),
      polled(LATE),
    );
    expect(asked.effects.filter(({ kind }) => kind !== "log")).toEqual([
      { kind: "read_blocks", from: NOON - 8 * DAY_MS, to: NOON + 30 * DAY_MS },
    ]);
    const monday = makeBlock(offerAt("monday", "2026-06-08T06:00:00-04:00"));
    const sunday = makeBlock(offerAt("sunday", "2026-06-07T20:00:00-04:00"));
    const fits = after(asked.state, listed(sunday, monday), NOON + 100);
    expect(accepted(fits.effects)).toEqual(["late"]);
    const tuesday = makeBlock(offerAt("tuesday", "2026-06-09T06:00:00-04:00"));
    const full = after(asked.state, listed(monday, tuesday), NOON + 100);
    expect([accepted(full.effects), judged(full)]).toEqual([[], { late: ["week_limit"] }]);
  });
});

it("reads the blocks once more where a limit was saved while they were being read", () => {
  const mode = { mode: "secure" as const };
  const state = within({}, { profile: profileWithin({}, mode) });
  const asked = after(state, polled(LATE));
  expect(kinds(asked.effects)).toContain("read_blocks");
  const profile = profileWithin({ minutesPerWeek: 900 }, { ...mode, revision: 2, filtersVersion: 2 });
  const saved = after(asked.state, { kind: "profile_changed", profile }, NOON + 50);
  const read = after(saved.state, listed(), NOON + 100);
  expect([accepted(read.effects), kinds(read.effects)]).toEqual([[], ["log", "read_blocks"]]);
  expect(accepted(after(read.state, listed(), NOON + 200).effects)).toEqual(["late"]);
});
