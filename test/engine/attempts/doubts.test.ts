import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { recover } from "../../../durable/engine/initial-state.ts";
import { nextWakeAt } from "../../../durable/engine/next-wake.ts";
import type { AcceptOutcome, PartialBlock } from "../../../durable/engine/state/outcomes.ts";
import type { DriverState, MachineEvent, StepResult } from "../../../durable/engine/state/types.ts";
import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import {
  attemptId as attemptIdShape,
  DAY_MS,
  HOUR_MS,
  MINUTE_MS,
  type EpochMs,
  type Span,
} from "../../../db/shapes/units.ts";
import {
  accepted,
  activeState,
  ctx,
  kinds,
  logged,
  makeBlock,
  makeOffer,
  makeProfile,
  makeWarehouse,
  NOON,
} from "../fixtures.ts";
import { after, polled } from "../steps.ts";

/** A block of which only the span can be read. */
const nameless = (span: Span): PartialBlock => ({
  ...span,
  blockId: null,
  offerId: null,
  warehouseId: null,
  serviceType: null,
  payCents: null,
  currency: null,
  status: "scheduled",
  acceptedAt: null,
  checkedInAt: null,
});
const listed = (blocks: Block[], unreadable: Span[] = []): MachineEvent => ({
  kind: "blocks_read",
  outcome: { kind: "blocks", blocks: [...blocks, ...unreadable.map(nameless)] },
});
const block = makeBlock(makeOffer("a"));
const UNLINKED: MachineEvent = { kind: "unlinked" };
const LINKED: MachineEvent = { kind: "linked", warehouses: [makeWarehouse()] };
const OFF: MachineEvent = {
  kind: "profile_changed",
  profile: makeProfile({ revision: 2, switchedOn: false }),
};

/** An accept of offer a that is under way. */
function started(): { state: DriverState; attempt: Attempt } {
  const { state } = after(activeState(), polled(makeOffer("a")));
  return { state, attempt: [...state.openAttempts.values()][0]! };
}
function answered(outcome: AcceptOutcome, now = NOON + 100): StepResult {
  const { state, attempt } = started();
  return after(state, { kind: "accepted", attemptId: attempt.attemptId, outcome }, now);
}
const captures = ({ effects }: StepResult) => ({
  logged: logged(effects).flatMap((event) =>
    event.kind === "attempt_settled" && event.attempt.outcome.status === "won"
      ? [event.attempt.outcome.block.blockId]
      : [],
  ),
  notified: effects.flatMap((effect) => (effect.kind === "notify" ? effect.notifications : [])).length,
});
const lostAs = ({ effects }: StepResult) =>
  logged(effects).flatMap((event) =>
    event.kind === "attempt_settled" && event.attempt.outcome.status === "lost"
      ? [event.attempt.outcome.reason]
      : [],
  );

describe("an attempt that was taken for lost", () => {
  it.each<[string, AcceptOutcome]>([
    ["404", { kind: "refused", status: 404 }],
    ["429", { kind: "rate_limited", retryAt: null }],
    ["401", { kind: "signed_out" }],
    ["a question for the selfie", { kind: "verification_required", url: null }],
  ])("after %s is a capture once its block is listed, and only once", (_case, outcome) => {
    const { state } = answered(outcome);
    const ready = { ...state, link: { status: "linked" as const }, verification: null };
    const found = after(ready, listed([block]), NOON + 20_000);
    expect(captures(found)).toEqual({ logged: [block.blockId], notified: 1 });
    expect([found.state.held, found.state.doubtedAttempts.size]).toEqual([[block], 0]);
    expect(captures(after(found.state, listed([block]), NOON + 40_000))).toEqual({ logged: [], notified: 0 });
  });

  it.each(["offer_gone", "overlap", "pay_changed"] as const)(
    "by the platform's word (%s) stays lost",
    (reason) => {
      const { state } = answered({ kind: "lost", reason });
      expect(captures(after(state, listed([block]), NOON + 20_000)).logged).toEqual([]);
    },
  );

  it("is looked up once more after a minute even if the driver is off, and then no longer in doubt", () => {
    const off = after(answered({ kind: "refused", status: 404 }).state, OFF, NOON + 200).state;
    expect(nextWakeAt(off, ctx(NOON + 200))).toBe(NOON + 100 + MINUTE_MS);
    const read = after(off, { kind: "woke" }, NOON + 100 + MINUTE_MS);
    expect(kinds(read.effects)).toEqual(["read_blocks"]);
    const done = after(read.state, listed([]), NOON + 200 + MINUTE_MS);
    expect([done.state.doubtedAttempts.size, nextWakeAt(done.state, ctx(NOON + 200 + MINUTE_MS))]).toEqual([
      0,
      null,
    ]);
  });

  it("stays in doubt while the list has a block there that can't be read, without asking all the time", () => {
    const off = after(answered({ kind: "refused", status: 404 }).state, OFF, NOON + 200).state;
    const at = NOON + 100 + MINUTE_MS;
    const { startsAt, endsAt } = block;
    const { state, effects } = after(off, listed([], [{ startsAt, endsAt }]), at);
    expect([state.doubtedAttempts.size, kinds(effects), nextWakeAt(state, ctx(at))]).toEqual([
      1,
      [],
      at + MINUTE_MS / 2,
    ]);
  });

  it("is not asked about for longer than an hour", () => {
    const off = after(answered({ kind: "refused", status: 404 }).state, OFF, NOON + 200).state;
    expect(nextWakeAt(off, ctx(NOON + 2 * HOUR_MS))).toBeNull();
    expect(captures(after(off, listed([block]), NOON + 2 * HOUR_MS)).logged).toEqual([block.blockId]);
  });

  it("is forgotten when its block ends", () => {
    const off = after(answered({ kind: "refused", status: 404 }).state, OFF, NOON + 200).state;
    expect(after(off, { kind: "woke" }, block.endsAt).state.doubtedAttempts.size).toBe(0);
  });

  it("is one capture if a second attempt at the offer wins it", () => {
    const first = answered({ kind: "rate_limited", retryAt: NOON + 200 });
    const again = after(first.state, polled(makeOffer("a")), NOON + 4000);
    const [second] = [...again.state.openAttempts.values()];
    // The list arrives before the answer of the second attempt, and is left to it.
    const seen = after(again.state, listed([block]), NOON + 4100);
    const won = after(
      seen.state,
      { kind: "accepted", attemptId: second!.attemptId, outcome: { kind: "already_yours", block } },
      NOON + 4200,
    );
    const later = after(won.state, listed([block]), NOON + 30_000);
    expect([captures(seen).logged, captures(won).logged, captures(later).logged]).toEqual([
      [],
      [block.blockId],
      [],
    ]);
  });

  it("is recorded without a message if the driver has given the block back already", () => {
    const { state } = answered({ kind: "refused", status: 404 });
    const found = after(state, listed([{ ...block, status: "forfeited" }]), NOON + 20_000);
    expect(captures(found)).toEqual({ logged: [block.blockId], notified: 0 });
    expect(found.state.givenBack.map(({ blockId }) => blockId)).toEqual([block.blockId]);
  });

  it("is not the block of an earlier attempt that was given back before", () => {
    const known = after(activeState({ held: [block] }), listed([{ ...block, status: "forfeited" }]));
    const allowed = after(known.state, { kind: "take_again", blockId: block.blockId });
    const again = after(allowed.state, polled(makeOffer("a")), NOON + 1000);
    const [attempt] = [...again.state.openAttempts.values()];
    const refused = after(
      again.state,
      { kind: "accepted", attemptId: attempt!.attemptId, outcome: { kind: "refused", status: 404 } },
      NOON + 1100,
    );
    const read = after(refused.state, listed([{ ...block, status: "forfeited" }]), NOON + 20_000);
    expect(captures(read).logged).toEqual([]);
  });
});

describe("an accept in flight when the account is unlinked", () => {
  const unlinked = () => {
    const { state, attempt } = started();
    return { attempt, ended: after(state, UNLINKED, NOON + 50) };
  };
  const won = (state: DriverState, { attemptId }: Attempt, now: EpochMs) =>
    after(state, { kind: "accepted", attemptId, outcome: { kind: "won", block } }, now);

  it("is a capture when its late answer says so, but holds nothing for an account linked anew", () => {
    const { attempt, ended } = unlinked();
    expect(lostAs(ended)).toEqual(["signed_out"]);
    const late = won(ended.state, attempt, NOON + 100);
    expect([captures(late), late.state.held]).toEqual([{ logged: [block.blockId], notified: 1 }, []]);
    const relinked = after(ended.state, LINKED, NOON + 80).state;
    const answered = won(relinked, attempt, NOON + 100);
    expect([captures(answered).logged, answered.state.held]).toEqual([[block.blockId], []]);
  });

  it("does not sign the account linked anew out by its late refusal", () => {
    const { attempt, ended } = unlinked();
    const relinked = after(ended.state, LINKED, NOON + 80).state;
    const refused: MachineEvent = {
      kind: "accepted",
      attemptId: attempt.attemptId,
      outcome: { kind: "signed_out" },
    };
    expect(after(relinked, refused, NOON + 100).state.link.status).toBe("linked");
  });

  it.each<AcceptOutcome>([
    { kind: "rate_limited", retryAt: NOON + 15_000 },
    { kind: "unreachable", retryAt: NOON + 15_000 },
  ])("has the wait of a late answer ($kind) obeyed by the account linked anew", (outcome) => {
    const { attempt, ended } = unlinked();
    const relinked = after(ended.state, LINKED, NOON + 80).state;
    const late = after(relinked, { kind: "accepted", attemptId: attempt.attemptId, outcome }, NOON + 100);
    expect([late.state.throttle.until, late.state.phase]).toEqual([
      NOON + 15_000,
      { kind: "throttled", until: NOON + 15_000 },
    ]);
  });

  it("is a capture if the same account is linked again and lists its block", () => {
    const { ended } = unlinked();
    const found = after(after(ended.state, LINKED, NOON + 1000).state, listed([block]), NOON + 2000);
    expect(captures(found).logged).toEqual([block.blockId]);
  });
});

describe("an account linked anew", () => {
  it("accepts nothing that the one before was shown, and repeats none of its attempts", () => {
    const unknown = answered({ kind: "timeout" });
    const offers = polled(makeOffer("a"), makeOffer("b", { startsAt: NOON + 9 * HOUR_MS }));
    const seen = after(unknown.state, offers, NOON + 200).state;
    const { state } = after({ ...seen, link: { status: "signed_out" } }, LINKED, NOON + 300);
    expect([state.openAttempts.size, state.verdicts.size, state.held]).toEqual([0, 0, []]);
    const read = after(after(state, { kind: "woke" }, NOON + 2000).state, listed([]), NOON + 2100);
    expect(accepted(read.effects)).toEqual([]);
  });
});

describe("an attempt without an answer", () => {
  const cutTwice = () => {
    const { state, effects } = answered({ kind: "timeout" });
    const repeat = effects.flatMap((effect) => (effect.kind === "accept" ? effect.attempts : []))[0]!;
    return after(
      state,
      { kind: "accepted", attemptId: repeat.attemptId, outcome: { kind: "timeout" } },
      NOON + 200,
    ).state;
  };

  it("stores when it was tried, so that a restart after the driver has switched off settles it with one read", () => {
    const off = after(cutTwice(), OFF, NOON + 300).state;
    const restarted = recover({ ...off, transient: activeState().transient });
    const at = NOON + 200 + MINUTE_MS;
    const read = after(
      { ...restarted, transient: { ...restarted.transient, heldFetchedAt: null } },
      { kind: "woke" },
      at,
    );
    expect(kinds(read.effects)).toEqual(["read_blocks"]);
    const done = after(read.state, listed([]), at + 50);
    expect([done.state.openAttempts.size, lostAs(done), nextWakeAt(done.state, ctx(at + 50))]).toEqual([
      0,
      ["withdrawn"],
      null,
    ]);
  });

  it("is dropped when its block starts, even if the platform can't be asked", () => {
    const state: DriverState = { ...cutTwice(), link: { status: "signed_out" } };
    expect(nextWakeAt(state, ctx(NOON + 300))).toBe(block.startsAt);
    const dropped = after(state, { kind: "woke" }, block.startsAt);
    expect([dropped.state.openAttempts.size, lostAs(dropped)]).toEqual([0, ["no_answer"]]);
    expect(nextWakeAt(dropped.state, ctx(block.startsAt))).toBeNull();
  });

  it("keeps its span taken after its block has started, until the blocks were read", () => {
    const dropped = after(cutTwice(), { kind: "woke" }, block.startsAt).state;
    const beside = makeOffer("b", { startsAt: block.startsAt + HOUR_MS, endsAt: block.endsAt + HOUR_MS });
    const fresh = { ...dropped, transient: { ...dropped.transient, heldFetchedAt: block.startsAt } };
    const seen = after(fresh, polled(beside), block.startsAt + 1000);
    expect(accepted(seen.effects)).toEqual([]);
    expect(seen.state.verdicts.get(beside.offerId)?.reasons.map(({ code }) => code)).toEqual([
      "overlaps_block",
    ]);
    const early = after(seen.state, listed([]), block.startsAt + 2000);
    expect(accepted(early.effects)).toEqual([]);
    const settled = after(early.state, listed([]), block.startsAt + 2 * MINUTE_MS);
    const again = after(settled.state, polled(beside), block.startsAt + 2 * MINUTE_MS + 100);
    expect(accepted(settled.effects).concat(accepted(again.effects))).toEqual(["b"]);
  });

  it("does not wait for the day on which a clock that was set back says it was tried", () => {
    const off = after(cutTwice(), OFF, NOON + 300).state;
    expect(nextWakeAt(off, ctx(NOON - DAY_MS))).toBe(NOON - DAY_MS);
  });

  it("is the only one that is repeated at once, the one first that waited longest", () => {
    const offers = Array.from({ length: 6 }, (_, index) =>
      makeOffer(`o${index}`, { startsAt: NOON + (3 + 4 * index) * HOUR_MS }),
    );
    const openAttempts = new Map(
      offers.map((offer, index) => {
        const { attempt } = started();
        const attemptId = z.parse(attemptIdShape, `0123456789abc-${index}`);
        const outcome = { status: "unknown", tries: 1, triedAt: NOON - 1000 * index } as const;
        return [attemptId, { ...attempt, attemptId, offer, outcome }];
      }),
    );
    const read = after(activeState({ openAttempts }), listed([]), NOON + MINUTE_MS);
    expect(accepted(read.effects)).toEqual(["o5"]);
  });
});
