import { describe, expect, it } from "vitest";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type Span } from "../../../db/shapes/units.ts";
import {
  isHeldDue,
  isHeldKnown,
  isHeldStale,
  replaceHeldBlocks,
  requestBlocks,
} from "../../../durable/engine/attempts/held-blocks.ts";
import { idOf, makeBlock, makeOffer, NOON } from "../fixtures.ts";
import { byId, change, makeAttempt, transientState } from "../parts.ts";

const fetched = (ago: number | null, failures = 0) =>
  transientState({
    heldFetchedAt: ago === null ? null : NOON - ago,
    heldBackoff: { failures, retryAt: null },
  });

describe("the age of the held blocks", () => {
  it("makes them due after 20 seconds and stale after 30", () => {
    const ages = [19_999, 20_000, 29_999, 30_000, null];
    expect(ages.map((age) => [isHeldDue(fetched(age), NOON), isHeldStale(fetched(age), NOON)])).toEqual([
      [false, false],
      [true, false],
      [true, false],
      [true, true],
      [true, true],
    ]);
  });

  it("leaves them known for a minute, or for as long as they can't be read", () => {
    const known = (ago: number | null, failures: number) => isHeldKnown(fetched(ago, failures), NOON);
    expect([known(MINUTE_MS - 1, 0), known(MINUTE_MS, 0)]).toEqual([true, false]);
    expect([known(HOUR_MS, 1), known(30 * DAY_MS, 1)]).toEqual([true, true]);
    expect([known(null, 0), known(null, 1)]).toEqual([false, false]);
  });
});

describe("a request for the held blocks", () => {
  const requested = (state = transientState({})) => change(state, requestBlocks).calls;

  it("reaches from a day ago to 30 days ahead", () => {
    expect(requested()).toEqual([{ kind: "read_blocks", from: NOON - DAY_MS, to: NOON + 30 * DAY_MS }]);
  });

  it("reaches back to the first attempt that is not settled, 30 days at most", () => {
    const from = (days: number, which: "openAttempts" | "doubtedAttempts") => {
      const attempt = makeAttempt("1", makeOffer("a", { startsAt: NOON - days * DAY_MS }));
      return requested(transientState({}, { [which]: byId(attempt) })).map((call) => ({ ...call, to: 0 }));
    };
    const since = (days: number) => [{ kind: "read_blocks", from: NOON - days * DAY_MS, to: 0 }];
    expect(from(5, "openAttempts")).toEqual(since(5));
    expect(from(6, "doubtedAttempts")).toEqual(since(6));
    expect(from(40, "openAttempts")).toEqual(since(30));
    expect(from(-2, "openAttempts")).toEqual(since(1));
  });

  it("waits until the last failed one may be repeated", () => {
    const waiting = (retryAt: number) => transientState({ heldBackoff: { failures: 1, retryAt } });
    expect(requested(waiting(NOON + 1))).toEqual([]);
    expect(requested(waiting(NOON))).toHaveLength(1);
    expect(requested(transientState({ inFlight: new Map([["read_blocks", NOON - 1]]) }))).toEqual([]);
  });
});

const listing = (blocks: Block[], unreadable: Span[] = []) => ({ blocks, unreadable, probable: [] });

describe("a listing of the held blocks", () => {
  const block = makeBlock(makeOffer("a"), { acceptedAt: NOON - HOUR_MS });

  it("that says what is known changes nothing but its age", () => {
    const state = transientState({}, { held: [block] });
    const listed = change(state, (one) => replaceHeldBlocks(one, listing([{ ...block }]), NOON - 5));
    expect(listed.state.held).toBe(state.held);
    expect(listed.state.transient.heldFetchedAt).toBe(NOON - 5);
  });

  it.each([
    ["just won, by our clock", NOON - MINUTE_MS + 1, NOON - HOUR_MS, true],
    ["won a minute ago, by our clock, whatever theirs says", NOON - MINUTE_MS, NOON - 1, false],
    ["just accepted, by their clock alone", null, NOON - MINUTE_MS + 1, true],
    ["accepted a minute ago, by their clock alone", null, NOON - MINUTE_MS, false],
  ])("may lack a block that was %s", (_when, wonAt, acceptedAt, isKept) => {
    const won = { ...block, acceptedAt };
    const state = transientState(
      { wonAt: new Map(wonAt === null ? [] : [[block.blockId, wonAt]]) },
      { held: [won] },
    );
    const listed = change(state, (one) => replaceHeldBlocks(one, listing([]), NOON));
    expect(listed.state.held).toEqual(isKept ? [won] : []);
    expect(listed.state.givenBack.map(({ blockId }) => blockId)).toEqual(isKept ? [] : [block.blockId]);
    expect([...listed.state.transient.wonAt.keys()]).toEqual(isKept && wonAt !== null ? [block.blockId] : []);
  });

  it("that could not be read to the end says nothing of what it lacks", () => {
    const state = transientState({}, { held: [block] });
    const unreadable = [{ startsAt: NOON, endsAt: NOON + HOUR_MS }];
    const listed = change(state, (one) => replaceHeldBlocks(one, listing([], unreadable), NOON));
    expect([listed.state.held, listed.state.givenBack]).toEqual([[], []]);
    expect(listed.state.transient.unreadableHeld).toEqual(unreadable);
    const other = { ...block, blockId: idOf.block("other"), status: "forfeited" as const };
    const given = change(state, (one) => replaceHeldBlocks(one, listing([other], unreadable), NOON));
    expect(given.state.givenBack.map(({ blockId }) => blockId)).toEqual([other.blockId]);
    const whole = change(state, (one) => replaceHeldBlocks(one, listing([]), NOON));
    expect([whole.state.givenBack.length, whole.state.transient.unreadableHeld]).toEqual([1, []]);
  });

  it("ends the refusals for an overlap that came before it was requested", () => {
    const refusals = [-1, 0, 1].map((ms) => ({ offer: makeOffer(`r${ms}`), at: NOON + ms }));
    const state = transientState({ overlapRefusals: refusals });
    const listed = change(state, (one) => replaceHeldBlocks(one, listing([]), NOON));
    expect(listed.state.transient.overlapRefusals).toEqual(refusals.slice(2));
  });
});
