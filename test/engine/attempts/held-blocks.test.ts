import { describe, expect, it } from "vitest";
import { nextWakeAt } from "../../../durable/engine/next-wake.ts";
import { step } from "../../../durable/engine/machine.ts";
import type { PartialBlock, PlatformFailure } from "../../../durable/engine/state/outcomes.ts";
import type { MachineEvent } from "../../../durable/engine/state/types.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { SimulatedPlatform, runSimulation, type PlatformCall } from "../simulate.ts";
import {
  accepted,
  activeState,
  ctx,
  kinds,
  logged,
  makeBlock,
  makeOffer,
  makeProfile,
  NOON,
  SETTINGS,
} from "../fixtures.ts";
import { polled } from "../steps.ts";

const listedBlocks = (...blocks: PartialBlock[]): MachineEvent => ({
  kind: "blocks_read",
  outcome: { kind: "blocks", blocks },
});

const failing =
  (call: PlatformCall, from: number, until: number, failure: PlatformFailure = { kind: "unreachable" }) =>
  (made: PlatformCall, now: number) =>
    made === call && from <= now && now < until ? { failure, hasEffect: false } : null;

const listed = (offer: Offer, from: number) => ({ offer, from, to: offer.expiresAt });
/** Starts a day from now. */
const later = (name: string, days: number) => makeOffer(name, { startsAt: NOON + days * DAY_MS });

const unread = (state = activeState()) => ({
  ...state,
  transient: { ...state.transient, heldFetchedAt: null },
});

describe("blocks that can't be read", () => {
  it.each(["unreachable", "unreadable", "timeout"] as const)(
    "never stop the polls, and the phase says since when (%s)",
    (kind) => {
      const platform = new SimulatedPlatform({ fault: failing("read_blocks", 0, Infinity, { kind }) });
      const { state, log } = runSimulation(unread(), {
        platform,
        from: NOON,
        until: NOON + 10 * MINUTE_MS,
        callMs: 0,
      });
      expect(platform.polls).toHaveLength(200);
      const phase = { kind: "blocks_unreadable", since: NOON, isCapturing: false };
      expect(state.phase).toEqual(phase);
      expect(log).toMatchObject([{ kind: "phase_changed", phase }]);
    },
  );

  it("are requested again after 1, 2, 4 seconds, and at least once a minute", () => {
    const platform = new SimulatedPlatform({ fault: failing("read_blocks", 0, Infinity) });
    runSimulation(unread(activeState({ profile: makeProfile({ mode: "masacre" }) })), {
      platform,
      from: NOON,
      until: NOON + 10 * MINUTE_MS,
      roll: () => 0.5,
      callMs: 0,
    });
    const reads = platform.calls.flatMap(({ at, call }) => (call === "read_blocks" ? [at] : []));
    const gaps = reads.slice(1).map((at, index) => Math.round((at - (reads[index] ?? at)) / 1000));
    expect(gaps.slice(0, 6)).toEqual([1, 2, 4, 8, 16, 32]);
    expect(new Set(gaps.slice(6))).toEqual(new Set([60]));
  });

  it("delay every accept until they were read once, since any offer might overlap one", () => {
    const platform = new SimulatedPlatform({
      listedOffers: [listed(makeOffer("a"), NOON)],
      fault: failing("read_blocks", 0, NOON + 5 * MINUTE_MS),
    });
    runSimulation(unread(), { platform, from: NOON, until: NOON + 10 * MINUTE_MS });
    expect(platform.accepts.map(({ attempt }) => attempt.offer.offerId)).toEqual(["a"]);
    expect(platform.accepts[0]?.at).toBeGreaterThan(NOON + 5 * MINUTE_MS);
    expect(platform.accepts[0]?.at).toBeLessThan(NOON + 6 * MINUTE_MS + 5000);
  });

  it("are trusted as they were, however long ago they were read", () => {
    const platform = new SimulatedPlatform({
      listedOffers: [
        listed(later("soon", 1), NOON + 50 * MINUTE_MS),
        listed(later("late", 2), NOON + 70 * MINUTE_MS),
      ],
      fault: failing("read_blocks", NOON, NOON + 3 * HOUR_MS),
    });
    const settings = { ...SETTINGS, pollFloorMs: 10_000 };
    runSimulation(activeState(), { platform, from: NOON, until: NOON + 4 * HOUR_MS, settings });
    const accepts = platform.accepts.map(({ attempt, at }) => [
      attempt.offer.offerId,
      at > NOON + 3 * HOUR_MS,
    ]);
    expect(accepts).toEqual([
      ["soon", false],
      ["late", false],
    ]);
  });

  it("stop all calls if the platform asks for it in answer to them", () => {
    const limited = step(
      activeState(),
      { kind: "blocks_read", outcome: { kind: "rate_limited", retryAt: NOON + MINUTE_MS } },
      ctx(NOON),
    );
    expect(limited.state.phase).toEqual({ kind: "throttled", until: NOON + MINUTE_MS });
  });

  it("keep an unknown attempt waiting, without waking in a loop", () => {
    const platform = new SimulatedPlatform({
      listedOffers: [listed(makeOffer("a"), NOON)],
      fault: (call, now) => {
        if (call === "accept" && now < NOON + 1000) return { failure: { kind: "timeout" }, hasEffect: true };
        return failing("read_blocks", NOON, NOON + 5 * MINUTE_MS)(call, now);
      },
    });
    const { state, wakes } = runSimulation(activeState(), {
      platform,
      from: NOON,
      until: NOON + 10 * MINUTE_MS,
    });
    expect(state.held.map(({ offerId }) => offerId)).toEqual(["a"]);
    expect(platform.polls.length).toBeGreaterThan(190);
    expect(wakes).toBeLessThan(300);
  });

  it("are read once at a time, and a read that is never answered is given up after two minutes", () => {
    const requested = step(unread(), { kind: "woke" }, ctx(NOON));
    expect(kinds(requested.effects)).toEqual(["read_blocks", "poll"]);
    const { state } = step(requested.state, polled(), ctx(NOON + 40));
    expect(nextWakeAt(state, ctx(NOON + 40))).toBe(NOON + 3000);
    expect(kinds(step(state, { kind: "woke" }, ctx(NOON + 3000)).effects)).toEqual(["poll"]);
    expect(kinds(step(state, { kind: "woke" }, ctx(NOON + 2 * MINUTE_MS)).effects)).toEqual([
      "read_blocks",
      "poll",
    ]);
  });
});

describe("a block of which only the span could be read", () => {
  it("is a span that is not free", () => {
    const { startsAt, endsAt } = makeOffer("a");
    const read = step(
      unread(),
      listedBlocks({ ...makeBlock(makeOffer("x")), blockId: null, offerId: null, payCents: null }),
      ctx(NOON),
    );
    const { effects } = step(read.state, polled(makeOffer("a"), later("b", 1)), ctx(NOON + 100));
    expect(accepted(effects)).toEqual(["b"]);
    expect(logged(effects)).toMatchObject([
      { kind: "offer_judged", reasons: [{ code: "overlaps_block", rule: { startsAt, endsAt } }] },
      { kind: "offer_judged", reasons: [] },
      { kind: "attempt_started" },
    ]);
  });
});
