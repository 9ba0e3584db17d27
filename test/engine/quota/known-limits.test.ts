import { describe, expect, it } from "vitest";
import { phaseOf } from "../../../durable/engine/phase.ts";
import { step } from "../../../durable/engine/machine.ts";
import type { AcceptOutcome } from "../../../durable/engine/state/outcomes.ts";
import type { DriverState, MachineEvent, StepResult } from "../../../durable/engine/state/types.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { SimulatedPlatform, runSimulation } from "../simulate.ts";
import {
  accepted,
  activeState,
  at,
  ctx,
  kinds,
  makeBlock,
  makeOffer,
  makeProfile,
  NOON,
  SETTINGS,
} from "../fixtures.ts";
import { listed, polled } from "../steps.ts";

/** A poll's answer comes at once. */
const apply = (state: DriverState, event: MachineEvent, now: EpochMs = NOON) =>
  step(state, event.kind === "polled" ? { ...event, sentAt: now } : event, ctx(now));
const notified = ({ effects }: StepResult) =>
  effects.flatMap((effect) => (effect.kind === "notify" ? effect.notifications : []));

/** The platform's answer to the only accept in flight. */
function answer(before: StepResult, outcome: AcceptOutcome, now: EpochMs): StepResult {
  const [attempt] = [...before.state.openAttempts.values()].filter(
    (open) => open.outcome.status === "pending",
  );
  return apply(before.state, { kind: "accepted", attemptId: attempt!.attemptId, outcome }, now);
}

describe("held blocks", () => {
  it.each(["lucrative", "secure", "masacre"] as const)(
    "are never older than 30 s while polling in %s mode",
    (mode) => {
      const platform = new SimulatedPlatform({});
      const start = { ...activeState({ profile: makeProfile({ mode }) }) };
      runSimulation(start, { platform, from: NOON, until: NOON + 10 * MINUTE_MS });
      const reads = platform.calls.flatMap(({ at: readAt, call }) =>
        call === "read_blocks" ? [readAt] : [],
      );
      const gaps = reads.slice(1).map((readAt, index) => readAt - (reads[index] ?? 0));
      expect(Math.max(...gaps)).toBeLessThanOrEqual(30_000);
      expect(Math.min(...gaps)).toBeGreaterThanOrEqual(20_000);
    },
  );

  it("are read in the idle time after a poll, not while there is something to accept", () => {
    const state = activeState();
    expect(kinds(apply(state, polled(), NOON + 20_000).effects)).toEqual(["read_blocks"]);
    expect(kinds(apply(state, polled(makeOffer("a")), NOON + 20_000).effects)).toEqual(["log", "accept"]);
  });

  it("are read before an accept after a pause, unless they can't be read", () => {
    const state = activeState();
    const late = NOON + 5 * MINUTE_MS;
    const seen = apply(state, polled(makeOffer("a")), late);
    expect([accepted(seen.effects), kinds(seen.effects).includes("read_blocks")]).toEqual([[], true]);
    const failed = apply(seen.state, { kind: "blocks_read", outcome: { kind: "unreachable" } }, late + 40);
    expect(accepted(failed.effects)).toEqual(["a"]);
  });
});

describe("after the platform found an overlap", () => {
  const offers = ["a", "b", "c"].map((name, index) => makeOffer(name, { payCents: 9000 - index }));
  const refused = () =>
    answer(apply(activeState(), polled(...offers)), { kind: "lost", reason: "overlap" }, NOON + 100);

  it("the blocks are read at once, and nothing of that span is tried before", () => {
    const { state, effects } = refused();
    expect([accepted(effects), kinds(effects).includes("read_blocks")]).toEqual([[], true]);
    expect(accepted(apply(state, polled(...offers), NOON + 3000).effects)).toEqual([]);
  });

  it("nothing that overlaps the block taken by hand is tried afterwards", () => {
    const hand = makeBlock(makeOffer("hand"));
    const read = apply(refused().state, listed(hand), NOON + 200);
    expect(accepted(read.effects)).toEqual([]);
    expect(accepted(apply(read.state, polled(...offers), NOON + 3000).effects)).toEqual([]);
  });

  it("a list that was requested before the refusal doesn't count", () => {
    const reading = apply(activeState(), polled(), NOON + 20_000);
    const tried = apply(reading.state, polled(...offers), NOON + 20_010);
    const lost = answer(tried, { kind: "lost", reason: "overlap" }, NOON + 20_100);
    const read = apply(lost.state, listed(), NOON + 20_200);
    expect([accepted(read.effects), kinds(read.effects)]).toEqual([[], ["read_blocks"]]);
    expect(accepted(apply(read.state, listed(), NOON + 20_300).effects)).toEqual(["b"]);
  });
});

describe("after the platform's weekly limit", () => {
  // NOON is on a Wednesday.
  const MONDAY = at("2026-06-15T00:00:00-04:00");
  const held = makeBlock(makeOffer("held", { startsAt: NOON - HOUR_MS }));
  const limited = () =>
    answer(
      apply(activeState({ held: [held] }), polled(makeOffer("a"))),
      { kind: "lost", reason: "weekly_limit" },
      NOON + 100,
    );

  it("nothing more of that week is tried until a block ends", () => {
    const { state } = limited();
    expect(accepted(apply(state, polled(makeOffer("b")), NOON + 3000).effects)).toEqual([]);
    const fresh = { ...state, transient: { ...state.transient, heldFetchedAt: held.endsAt } };
    expect(accepted(apply(fresh, polled(makeOffer("b")), held.endsAt - 1).effects)).toEqual([]);
    expect(
      accepted(
        apply(fresh, polled(makeOffer("b", { startsAt: held.endsAt + HOUR_MS })), held.endsAt).effects,
      ),
    ).toEqual(["b"]);
  });

  it("asks again with the offer that was refused, if it is still listed", () => {
    const { state } = limited();
    const read = apply(state, listed({ ...held, status: "completed" }), held.endsAt - 1);
    expect(
      accepted(
        apply(read.state, polled(makeOffer("a", { startsAt: held.endsAt + HOUR_MS })), held.endsAt).effects,
      ),
    ).toEqual(["a"]);
  });

  it("asks again when a block was given back", () => {
    const later = makeBlock(makeOffer("later", { startsAt: NOON + DAY_MS }));
    const { state } = limited();
    const read = apply({ ...state, held: [held, later] }, listed(held), NOON + 2000);
    expect(accepted(read.effects)).toEqual(["a"]);
  });

  it("takes offers of the next week", () => {
    const { state } = limited();
    const next = makeOffer("next", { startsAt: MONDAY });
    expect(accepted(apply(state, polled(makeOffer("b"), next), NOON + 3000).effects)).toEqual(["next"]);
  });

  it("is shown, and told once a week", () => {
    const first = limited();
    expect([first.state.phase, notified(first)]).toEqual([
      { kind: "weekly_limit", until: held.endsAt },
      [{ kind: "weekly_limit", until: held.endsAt }],
    ]);
    const { state } = first;
    const fresh = { ...state, transient: { ...state.transient, heldFetchedAt: held.endsAt } };
    const again = apply(fresh, polled(makeOffer("b", { startsAt: held.endsAt + HOUR_MS })), held.endsAt);
    expect(again.state.phase.kind).toBe("polling");
    const second = answer(again, { kind: "lost", reason: "weekly_limit" }, held.endsAt + 100);
    expect([second.state.phase, notified(second)]).toEqual([{ kind: "weekly_limit", until: MONDAY }, []]);
    expect(phaseOf(second.state, MONDAY, SETTINGS).kind).toBe("polling");
  });
});
