import { LONG_AGO } from "../../durable/engine/attempts/held-blocks.ts";
import { describe, expect, it } from "vitest";
import { blockToCheckInto } from "../../durable/engine/check-in.ts";
import { step } from "../../durable/engine/machine.ts";
import type { Block } from "../../db/shapes/work/offer.ts";
import type { CheckInOutcome } from "../../durable/engine/state/outcomes.ts";
import type { DriverState, MachineEvent } from "../../durable/engine/state/types.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { ctx, makeBlock, makeOffer, NOON, activeState } from "./fixtures.ts";

const starting = (name: string, startsAt: number, fields: Partial<Block> = {}): Block =>
  makeBlock(makeOffer(name, { startsAt }), fields);

const named = (held: readonly Block[]) => blockToCheckInto(held, NOON)?.blockId ?? null;

describe("the block to check in to", () => {
  const soon = starting("soon", NOON + 20 * MINUTE_MS);
  const later = starting("later", NOON + 5 * HOUR_MS);
  const checkedIn = starting("here", NOON - HOUR_MS, { status: "checked_in" });

  it("is the earliest that has not ended", () => {
    const ended = starting("ended", NOON - 4 * HOUR_MS);
    expect(named([later, soon, ended])).toBe(soon.blockId);
  });

  it("may have a status that we don't know: whether a check-in is possible is the platform's decision", () => {
    const other = starting("other", NOON + 10 * MINUTE_MS, { status: "other" });
    expect(named([soon, other])).toBe(other.blockId);
  });

  it("is null if the next one starts in more than twelve hours or was given back", () => {
    const tomorrow = starting("tomorrow", NOON + 12 * HOUR_MS + 1);
    const back = starting("back", NOON + HOUR_MS, { status: "forfeited" });
    expect(named([tomorrow, back])).toBeNull();
  });

  it("is neither one that ends now nor one that is completed", () => {
    const ending = starting("ending", NOON - HOUR_MS, { endsAt: NOON });
    const completed = starting("completed", NOON - HOUR_MS, { status: "completed" });
    expect(named([ending, completed])).toBeNull();
  });

  it("is one that starts in exactly twelve hours", () => {
    const evening = starting("evening", NOON + 12 * HOUR_MS);
    expect(named([evening])).toBe(evening.blockId);
  });

  it("is the checked-in block until an hour before the next one starts", () => {
    const inAnHour = starting("in-an-hour", NOON + HOUR_MS);
    expect(named([checkedIn, later])).toBe(checkedIn.blockId);
    expect(named([checkedIn, inAnHour])).toBe(inAnHour.blockId);
    expect(named([checkedIn, soon])).toBe(soon.blockId);
  });

  it("is the first that is not checked in, after two that are", () => {
    const alsoIn = starting("also-here", NOON + 10 * MINUTE_MS, { status: "checked_in" });
    expect(named([checkedIn, alsoIn, soon])).toBe(soon.blockId);
  });
});

describe("before a check-in", () => {
  it("fetches the held blocks again only if they are stale", () => {
    const state = activeState();
    const stale = { ...state, transient: { ...state.transient, heldFetchedAt: null } };
    expect(step(stale, { kind: "arriving" }, ctx(NOON)).effects).toEqual([
      { kind: "read_blocks", from: NOON - DAY_MS, to: NOON + 30 * DAY_MS },
    ]);
    expect(step(state, { kind: "arriving" }, ctx(NOON)).effects).toEqual([]);
  });
});

describe("the outcome of a check-in", () => {
  const block = starting("b1", NOON + 10 * MINUTE_MS);
  const before = { ...activeState(), held: [block] };
  const after = (outcome: CheckInOutcome) =>
    step(before, { kind: "check_in_answered", blockId: block.blockId, outcome }, ctx(NOON)).state;

  it("updates the held block", () => {
    const arrived: Block = { ...block, status: "checked_in", checkedInAt: NOON };
    expect(after({ kind: "checked_in", block: arrived }).held).toEqual([arrived]);
    expect(after({ kind: "already_checked_in" }).held).toEqual([{ ...block, status: "checked_in" }]);
  });

  it("leaves the other held blocks as they are", () => {
    const other = starting("b2", NOON + 5 * HOUR_MS);
    const outcome = { kind: "already_checked_in" } as const;
    const { state } = step(
      { ...before, held: [other, block] },
      { kind: "check_in_answered", blockId: block.blockId, outcome },
      ctx(NOON),
    );
    expect(state.held).toEqual([other, { ...block, status: "checked_in" }]);
  });

  it.each<CheckInOutcome>([{ kind: "checked_in", block: null }, { kind: "already_checked_in" }])(
    "outlasts a listing that was requested before it: $kind",
    (outcome) => {
      const readingSince = (at: number, state: DriverState = before): DriverState => {
        return { ...state, transient: { ...state.transient, inFlight: new Map([["read_blocks", at]]) } };
      };
      const listing: MachineEvent = { kind: "blocks_read", outcome: { kind: "blocks", blocks: [block] } };
      const reading = readingSince(NOON);
      const answered = { kind: "check_in_answered", blockId: block.blockId, outcome } as const;
      const arrived = step(reading, answered, ctx(NOON + 50)).state;
      const { state } = step(arrived, listing, ctx(NOON + 100));
      expect(state.held).toEqual(arrived.held);
      expect(state.held.map(({ status }) => status)).toEqual(["checked_in"]);
      // A later one is the platform's word.
      const later = step(readingSince(NOON + 51, state), listing, ctx(NOON + 200));
      expect(later.state.held).toEqual([block]);
    },
  );

  it("marks the held blocks as stale if the platform doesn't know the block", () => {
    expect(after({ kind: "block_not_found" }).transient.heldFetchedAt).toBe(LONG_AGO);
  });

  it.each([
    { kind: "outside_geofence", distanceMeters: 300 },
    { kind: "too_early", opensAt: null },
    { kind: "too_late" },
    { kind: "refused", status: 400 },
  ] satisfies CheckInOutcome[])("changes nothing if it is $kind", (outcome) => {
    expect(after(outcome)).toBe(before);
  });

  it("signs out or throttles like any other call", () => {
    expect(after({ kind: "signed_out" }).link).toEqual({ status: "signed_out" });
    expect(after({ kind: "rate_limited", retryAt: NOON + MINUTE_MS }).throttle.until).toBe(NOON + MINUTE_MS);
  });
});
