import { describe, expect, it } from "vitest";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  dropStarted,
  isReconcileDue,
  reconcileUnknown,
  settleByListing,
} from "../../../durable/engine/attempts/reconcile.ts";
import { beginTransition } from "../../../durable/engine/state/transition.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { activeState, ctx, idOf, makeBlock, makeOffer, makeProfile, NOON } from "../fixtures.ts";
import { byId, change, makeAttempt, transientState } from "../parts.ts";

const outcome = { status: "unknown", tries: 1, triedAt: NOON - 30 * MINUTE_MS } as const;
const inDoubt = (name: string, startsAt = NOON + 3 * HOUR_MS) =>
  makeAttempt(name, makeOffer(name, { startsAt }), { createdAt: outcome.triedAt, outcome });
const later = (index: number) => NOON + (3 + 4 * index) * HOUR_MS;
const [one, two] = [inDoubt("1"), inDoubt("2", later(1))];
const pending = (name: string) => makeAttempt(name, makeOffer(name), { createdAt: NOON - HOUR_MS });
const isDue = (state: DriverState) => isReconcileDue(beginTransition(state, ctx(NOON)));
const off = { profile: makeProfile({ switchedOn: false }) };

describe("an attempt in doubt", () => {
  it("is due where there is room for its repeat, and no call for it is under way", () => {
    const four = ["p1", "p2", "p3", "p4"].map(pending);
    expect(isDue(activeState({ openAttempts: byId(one) }))).toBe(true);
    expect(isDue(activeState({ openAttempts: byId(one, ...four.slice(1)) }))).toBe(true);
    expect(isDue(activeState({ openAttempts: byId(one, ...four) }))).toBe(false);
    expect(isDue(activeState({ openAttempts: byId(pending("p")) }))).toBe(false);
    const inFlight = new Map([[one.attemptId, NOON]]);
    expect(isDue(transientState({ inFlight }, { openAttempts: byId(one) }))).toBe(false);
  });

  it("is repeated one at a time, that one first that was tried longest ago, so that new matches find room", () => {
    const older = { ...two, outcome: { ...outcome, triedAt: outcome.triedAt - MINUTE_MS } };
    const repeats = (...attempts: (typeof one)[]) =>
      change(activeState({ openAttempts: byId(...attempts) }), (step) =>
        reconcileUnknown(step, { heldIsFresh: true }),
      ).calls.map((call) => (call.kind === "accept" ? call.attempts.map(({ attemptId }) => attemptId) : []));
    expect(repeats(one, older)).toEqual([["attempt-2"]]);
    expect(repeats(one, older, ...["p1", "p2", "p3"].map(pending))).toEqual([["attempt-2"]]);
    expect(repeats(pending("p"))).toEqual([]);
  });

  it("is withdrawn where nobody wants it any more, once the blocks were read after its call", () => {
    const settled = (heldFetchedAt: number | null, fields: Partial<DriverState> = off) =>
      change(transientState({ heldFetchedAt }, { openAttempts: byId(one), ...fields }), (step) =>
        reconcileUnknown(step, { heldIsFresh: true }),
      );
    const withdrawn = settled(NOON);
    expect(withdrawn.log).toMatchObject([{ attempt: { outcome: { status: "lost", reason: "withdrawn" } } }]);
    expect([withdrawn.calls, [...withdrawn.state.doubtedAttempts]]).toEqual([[], []]);
    expect(settled(null).log).toEqual([]);
    expect(settled(outcome.triedAt).log).toEqual([]);
    expect(settled(NOON, {}).log).toEqual([]);
  });

  it("ends when its block starts, and is doubted then, unless a call for it is under way", () => {
    const started = inDoubt("1", NOON);
    const dropped = change(activeState({ openAttempts: byId(started, two) }), dropStarted);
    expect(dropped.log).toMatchObject([{ attempt: { outcome: { status: "lost", reason: "no_answer" } } }]);
    expect([...dropped.state.doubtedAttempts.keys()]).toEqual([started.attemptId]);
    expect([...dropped.state.openAttempts.keys()]).toEqual([two.attemptId]);
    const begun = makeAttempt("p", makeOffer("p", { startsAt: NOON - 1 }));
    const inFlight = new Map([[started.attemptId, NOON]]);
    const waiting = transientState({ inFlight }, { openAttempts: byId(started, begun) });
    expect(change(waiting, dropStarted).state).toBe(waiting);
  });

  it("is forgotten when its block ends", () => {
    const ended = makeOffer("e", { startsAt: NOON - HOUR_MS, endsAt: NOON });
    const doubtedAttempts = byId(makeAttempt("e", ended), makeAttempt("f", { ...ended, endsAt: NOON + 1 }));
    expect([...change(activeState({ doubtedAttempts }), dropStarted).state.doubtedAttempts.keys()]).toEqual([
      "attempt-f",
    ]);
  });
});

describe("a listing of the blocks", () => {
  const block = makeBlock(one.offer);
  const settle = (
    fields: Partial<DriverState>,
    blocks: readonly Block[],
    sentAt = NOON,
    unreadable?: (typeof one.offer)[],
  ) =>
    change(activeState(fields), (transition) =>
      settleByListing(
        transition,
        { blocks: [...blocks], unreadable: unreadable ?? [], probable: [] },
        sentAt,
      ),
    );
  const captured = ({ notifications }: ReturnType<typeof settle>) => notifications.length;

  it("shows that an attempt in doubt took its block, and no other's", () => {
    const won = settle({ openAttempts: byId(one, two) }, [makeBlock(makeOffer("x")), block]);
    expect(won.notifications).toEqual([{ kind: "captured", block, place: null }]);
    expect([...won.state.openAttempts.keys()]).toEqual([two.attemptId]);
    expect(captured(settle({ openAttempts: byId(one) }, [makeBlock(makeOffer("x"))]))).toBe(0);
    expect(captured(settle({ doubtedAttempts: byId(one) }, [block]))).toBe(1);
  });

  it("credits a block once where several attempts were made at it", () => {
    const again = makeAttempt("9", one.offer, { outcome: { status: "lost", reason: "refused" } });
    const won = settle({ openAttempts: byId(one), doubtedAttempts: byId(again) }, [block]);
    expect(won.notifications).toHaveLength(1);
    expect(won.log).toMatchObject([{ attempt: { attemptId: one.attemptId, outcome: { status: "won" } } }]);
    expect(won.state.doubtedAttempts.size).toBe(0);
  });

  it("waits for an answer that is about to come, about this offer", () => {
    const asked = makeAttempt("p", one.offer);
    expect(captured(settle({ openAttempts: byId(asked) }, [block]))).toBe(0);
    expect(captured(settle({ openAttempts: byId(asked), doubtedAttempts: byId(one) }, [block]))).toBe(0);
    expect(captured(settle({ openAttempts: byId(one, pending("p")) }, [block]))).toBe(1);
  });

  it("is no news of a block that was given back before", () => {
    const back: Block = { ...block, status: "forfeited" };
    const other = makeBlock(makeOffer("other"));
    const logged = (fields: Partial<DriverState>, listed = back) =>
      settle({ openAttempts: byId(one), ...fields }, [listed]).log.length;
    expect(logged({ held: [block] })).toBe(0);
    expect(logged({ givenBack: [{ ...block, givenBackAt: NOON, takeAgain: false }] })).toBe(0);
    expect(logged({ held: [other] })).toBe(1);
    expect(logged({ held: [block] }, block)).toBe(1);
    expect(logged({})).toBe(1);
    expect(idOf.block("block-other")).toBe(other.blockId);
  });

  it("ends the doubt about what it lacks, if it came late enough and could be read there", () => {
    const closed = makeAttempt("c", makeOffer("c"), { createdAt: NOON - DAY_MS, endedAt: NOON - DAY_MS });
    const left = (sentAt: number, unreadable?: (typeof closed.offer)[]) =>
      settle({ doubtedAttempts: byId(closed) }, [], sentAt, unreadable).state.doubtedAttempts.size;
    expect(left(NOON)).toBe(0);
    expect(left(NOON - DAY_MS)).toBe(1);
    expect(left(NOON, [closed.offer])).toBe(1);
    expect(left(NOON, [makeOffer("far", { startsAt: NOON + 9 * HOUR_MS })])).toBe(0);
  });
});
