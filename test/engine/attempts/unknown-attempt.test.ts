import { describe, expect, it } from "vitest";
import { recover } from "../../../durable/engine/initial-state.ts";
import { nextWakeAt } from "../../../durable/engine/next-wake.ts";
import { step } from "../../../durable/engine/machine.ts";
import type { MachineEvent } from "../../../durable/engine/state/types.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  accepted,
  ctx,
  kinds,
  logged,
  makeBlock,
  makeOffer,
  makeProfile,
  NOON,
  activeState,
} from "../fixtures.ts";
import { answer, attempts, polled, wake } from "../steps.ts";

const PLACE = { name: "Bethpage (DNY4)", timeZone: "America/New_York" };

describe("an unknown attempt", () => {
  const start = () => step(activeState(), polled(makeOffer("a")), ctx(NOON));

  it.each(["timeout", "unreachable", "unreadable"] as const)(
    "after %s blocks its time span and is repeated with the same key: at once, then after a second",
    (kind) => {
      const repeated = answer(start(), { kind });
      expect(attempts(repeated).map(({ attemptId }) => attemptId)).toEqual(["0123456789abc-0"]);
      const unknown = answer(repeated, { kind });
      expect(attempts(unknown)).toEqual([]);
      const rival = makeOffer("rival", { startsAt: NOON + 5 * HOUR_MS, payCents: 50_000 });
      const other = step(unknown.state, polled(makeOffer("a"), rival), ctx(NOON + 3000));
      expect(accepted(other.effects)).toEqual([]);
      expect(nextWakeAt(unknown.state, ctx(NOON + 100))).toBe(NOON + 1100);
      const read = wake(unknown.state, NOON + 1100);
      expect(kinds(read.effects)).toContain("read_blocks");
      const repeat = step(
        read.state,
        { kind: "blocks_read", outcome: { kind: "blocks", blocks: [] } },
        ctx(NOON + 1140),
      );
      expect(attempts(repeat).map(({ attemptId }) => attemptId)).toEqual(["0123456789abc-0"]);
      expect(logged(repeat.effects).filter((event) => event.kind === "attempt_started")).toEqual([]);
    },
  );

  it("is won if its block is listed", () => {
    const { state } = answer(start(), { kind: "timeout" });
    const block = makeBlock(makeOffer("a"));
    const found = step(
      wake(state, NOON + 1100).state,
      { kind: "blocks_read", outcome: { kind: "blocks", blocks: [block] } },
      ctx(NOON + 1140),
    );
    expect([found.state.openAttempts.size, found.state.held]).toEqual([0, [block]]);
    expect(found.effects).toContainEqual({
      kind: "notify",
      notifications: [{ kind: "captured", block, place: PLACE }],
    });
  });

  it("is lost if the repeat finds the offer gone, and stays unknown if the repeat is not answered", () => {
    const unknown = answer(start(), { kind: "timeout" });
    const repeated = {
      state: unknown.state,
      effects: [{ kind: "accept" as const, attempts: [...unknown.state.openAttempts.values()] }],
    };
    const gone = answer(repeated, { kind: "lost", reason: "offer_gone" }, NOON + 2000);
    expect(logged(gone.effects)).toContainEqual(
      expect.objectContaining({
        kind: "attempt_settled",
        attempt: expect.objectContaining({ outcome: { status: "lost", reason: "offer_gone" } }),
      }),
    );
    for (const kind of ["rate_limited", "signed_out", "verification_required"] as const) {
      const refused = answer(
        repeated,
        kind === "rate_limited"
          ? { kind, retryAt: null }
          : kind === "signed_out"
            ? { kind }
            : { kind, url: null },
        NOON + 2000,
      );
      expect([...refused.state.openAttempts.values()].map(({ outcome }) => outcome)).toEqual([
        { status: "unknown", tries: 2, triedAt: NOON + 2000 },
      ]);
    }
  });

  it("is won if the platform says that the driver has it, with or without the block", () => {
    const unknown = () => answer(start(), { kind: "timeout" });
    for (const block of [null, makeBlock(makeOffer("a"))]) {
      const yours = answer(unknown(), { kind: "already_yours", block });
      expect(yours.state.held).toMatchObject([{ offerId: "a" }]);
    }
  });

  it("is settled without another accept after the driver has switched off", () => {
    const unknown = answer(answer(start(), { kind: "timeout" }), { kind: "timeout" });
    const { state } = step(
      unknown.state,
      { kind: "profile_changed", profile: makeProfile({ revision: 2, switchedOn: false }) },
      ctx(NOON + 500),
    );
    expect(nextWakeAt(state, ctx(NOON + 500))).toBe(NOON + 1100);
    const none: MachineEvent = { kind: "blocks_read", outcome: { kind: "blocks", blocks: [] } };
    const soon = step(wake(state, NOON + 1100).state, none, ctx(NOON + 1140));
    expect(accepted(soon.effects)).toEqual([]);
    expect(nextWakeAt(soon.state, ctx(NOON + 1140))).toBe(NOON + 100 + MINUTE_MS);
    const late = step(wake(soon.state, NOON + 100 + MINUTE_MS).state, none, ctx(NOON + 200 + MINUTE_MS));
    expect(late.state.openAttempts.size).toBe(0);
    expect(logged(late.effects)).toContainEqual(
      expect.objectContaining({
        attempt: expect.objectContaining({ outcome: { status: "lost", reason: "withdrawn" } }),
      }),
    );
    expect(nextWakeAt(late.state, ctx(NOON + 200 + MINUTE_MS))).toBeNull();
  });

  it("is what a pending attempt becomes on a restart", () => {
    const { state } = start();
    const restarted = recover({ ...state, transient: activeState().transient });
    expect([...restarted.openAttempts.values()].map(({ outcome }) => outcome)).toEqual([
      { status: "unknown", tries: 1, triedAt: NOON },
    ]);
    expect(kinds(wake(restarted, NOON + 5000).effects)).toContain("read_blocks");
    expect(recover(activeState())).toEqual(activeState());
  });

  it("is lost on unlinking, since a repeat under another account would accept the block again", () => {
    const unknown = answer(start(), { kind: "timeout" });
    const { state } = step(unknown.state, { kind: "unlinked" }, ctx(NOON + 500));
    expect(state.openAttempts.size).toBe(0);
  });
});
