import { describe, expect, it } from "vitest";
import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  acceptMatches,
  applyAcceptOutcome,
  repeatAtOnce,
  timeOutPending,
} from "../../../durable/engine/attempts/attempts.ts";
import { LONG_AGO } from "../../../durable/engine/attempts/held-blocks.ts";
import { judgeListing } from "../../../durable/engine/verdicts/judge.ts";
import type { AcceptOutcome } from "../../../durable/engine/state/outcomes.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { idOf, makeBlock, makeOffer, makeProfile, NOON } from "../fixtures.ts";
import { byId, change, makeAttempt, transientState } from "../parts.ts";

const offers = ["a", "b", "c", "d", "e"].map((name, index) =>
  makeOffer(name, { startsAt: NOON + (3 + 4 * index) * HOUR_MS }),
);
const unknown = { status: "unknown", tries: 2, triedAt: NOON - MINUTE_MS } as const;

/** Offers were just listed, and held blocks just read. */
const ready = (fields: Partial<DriverState> = {}, listed: readonly Offer[] = offers) =>
  change(transientState({ lastPollAnsweredAt: NOON }, fields), (one) => judgeListing(one, listed)).state;

function accept(state: DriverState, { heldIsFresh = true, now = NOON } = {}) {
  let answer = "";
  const {
    calls,
    log,
    state: next,
  } = change(state, (one) => (answer = acceptMatches(one, { heldIsFresh })), now);
  const sent = calls.flatMap((call) =>
    call.kind === "accept" ? call.attempts.map(({ offer }) => offer.offerId) : [],
  );
  return { answer, sent, log, next };
}

describe("matches", () => {
  it("are accepted up to four at once, or one in secure mode", () => {
    const sentBy = (mode: "lucrative" | "secure" | "masacre") =>
      accept(ready({ profile: makeProfile({ mode }) })).sent;
    expect([sentBy("lucrative").length, sentBy("masacre").length]).toEqual([4, 4]);
    expect(sentBy("secure")).toEqual(["a"]);
  });

  it("get attempts under keys of their own, which are logged before they are sent", () => {
    const { next, log } = accept(ready({ attemptSeq: 7 }));
    const attempts = [...next.openAttempts.values()];
    expect(attempts.map(({ attemptId }) => attemptId)).toEqual(
      [7, 8, 9, 10].map((seq) => `0123456789abc-${seq}`),
    );
    expect(next.attemptSeq).toBe(11);
    expect(attempts[0]).toMatchObject({ createdAt: NOON, endedAt: null, outcome: { status: "pending" } });
    expect(log).toEqual(attempts.map((attempt) => ({ kind: "attempt_started", at: NOON, attempt })));
  });

  it("wait for those that are under way, and not for those in doubt", () => {
    const busy = (...attempts: Attempt[]) => accept(ready({ openAttempts: byId(...attempts) })).sent.length;
    const elsewhere = ["w", "x", "y", "z"].map((name, index) =>
      makeAttempt(name, makeOffer(name, { startsAt: NOON + (40 + 4 * index) * HOUR_MS })),
    );
    const [one, ...others] = elsewhere.map((attempt) => ({ ...attempt, outcome: unknown }));
    expect(busy(...elsewhere.slice(0, 3))).toBe(1);
    expect(busy(...elsewhere)).toBe(0);
    expect(one && busy(one, ...others)).toBe(4);
    const secure = ready({
      profile: makeProfile({ mode: "secure" }),
      openAttempts: byId(...elsewhere.slice(0, 1)),
    });
    expect(accept(secure).sent).toEqual([]);
  });

  it("are accepted for half a minute after they were listed", () => {
    expect(accept(ready(), { now: NOON + 30_000 }).sent).toHaveLength(4);
    expect(accept(ready(), { now: NOON + 30_001 })).toMatchObject({ answer: "done", sent: [] });
    const never = ready();
    expect(accept({ ...never, transient: { ...never.transient, lastPollAnsweredAt: null } })).toMatchObject({
      answer: "done",
      sent: [],
    });
  });

  it("wait for the held blocks where those are not known, or not fresh in secure mode", () => {
    const secure = ready({ profile: makeProfile({ mode: "secure" }) });
    expect(accept(secure, { heldIsFresh: false })).toMatchObject({ answer: "blocks_first", sent: [] });
    expect(accept(ready(), { heldIsFresh: false })).toMatchObject({ answer: "done" });
    const state = ready();
    const unread = { ...state, transient: { ...state.transient, heldFetchedAt: null } };
    expect(accept(unread)).toMatchObject({ answer: "blocks_first", sent: [] });
    expect(accept({ ...unread, profile: makeProfile({ switchedOn: false }) }).answer).toBe("done");
    expect(accept(ready({}, [])).answer).toBe("done");
  });

  it("are accepted for at least the pay that the filters ask for", () => {
    const { next } = accept(ready());
    const [first] = next.openAttempts.values();
    expect(first?.payAtLeastCents).toBeGreaterThan(0);
    expect(first?.payAtLeastCents).toBeLessThanOrEqual(first?.offer.payCents ?? 0);
  });
});

const [offer = makeOffer("a")] = offers;
const block = makeBlock(offer);
const pending = makeAttempt("1", offer);
const doubtful = { ...pending, outcome: unknown };

function answered(outcome: AcceptOutcome, attempt: Attempt = pending, fields: Partial<DriverState> = {}) {
  const start = transientState({}, { openAttempts: byId(attempt), ...fields });
  let answer = "";
  const result = change(start, (one) => (answer = applyAcceptOutcome(one, attempt.attemptId, outcome)));
  const { state, log, notifications, calls } = result;
  return {
    answer,
    state,
    notifications,
    repeats: calls.length,
    settled: log.flatMap((line) => (line.kind === "attempt_settled" ? [line.attempt.outcome] : [])),
    open: [...state.openAttempts.values()].map((one) => one.outcome),
    doubted: [...state.doubtedAttempts.keys()],
    tried: [...state.transient.triedOffers],
  };
}

describe("the answer to an accept", () => {
  it.each<[string, AcceptOutcome, Attempt]>([
    ["won", { kind: "won", block }, pending],
    ["already the driver's, after a try without an answer,", { kind: "already_yours", block }, doubtful],
    ["already the driver's, without the block,", { kind: "already_yours", block: null }, doubtful],
    ["won, of which nothing can be read,", { kind: "won", block: null }, pending],
  ])("that it is %s makes it a capture", (_what, outcome, attempt) => {
    const earlier = makeBlock(makeOffer("other"));
    const won = answered(outcome, attempt, { held: [{ ...block, payCents: 1 }, earlier] });
    expect(won).toMatchObject({ answer: "done", open: [], doubted: [], tried: ["a"], repeats: 0 });
    const read = "block" in outcome ? outcome.block : null;
    const told = read ? block : { ...block, blockId: idOf.block("a"), acceptedAt: NOON };
    expect(won.settled).toEqual([{ status: "won", block: told }]);
    expect(won.state.held).toContainEqual(told);
    expect(won.state.held).toContainEqual(earlier);
    expect([...won.state.transient.wonAt]).toEqual([[told.blockId, NOON]]);
    expect(won.notifications).toEqual([{ kind: "captured", block: told, place: null }]);
  });

  it("that a block was won that is given back again tells nobody", () => {
    const back = { ...block, status: "forfeited" as const };
    expect(answered({ kind: "won", block: back }).notifications).toEqual([]);
  });

  it("that it is already the driver's at the first try is no capture of ours, and has the blocks read", () => {
    const found = answered({ kind: "already_yours", block });
    expect(found).toMatchObject({ answer: "blocks_first", open: [], doubted: [], notifications: [] });
    expect(found.settled).toEqual([{ status: "lost", reason: "already_yours" }]);
    const earlier = makeAttempt("0", offer, { outcome: { status: "lost", reason: "refused" } });
    const ours = answered({ kind: "already_yours", block }, pending, { doubtedAttempts: byId(earlier) });
    expect(ours.settled).toEqual([{ status: "won", block }]);
  });

  it("that it is lost ends it, and an overlap has the blocks read", () => {
    const lost = answered({ kind: "lost", reason: "offer_gone" });
    expect(lost).toMatchObject({ answer: "done", open: [], doubted: [], tried: ["a"] });
    expect(lost.settled).toEqual([{ status: "lost", reason: "offer_gone" }]);
    expect(lost.state.transient.overlapRefusals).toEqual([]);
    const overlap = answered({ kind: "lost", reason: "overlap" });
    expect(overlap).toMatchObject({ answer: "blocks_first", tried: ["a"] });
    expect(overlap.state.transient.overlapRefusals).toEqual([{ offer, at: NOON }]);
  });

  it("that the week is full leaves the offer to be tried again", () => {
    const full = answered({ kind: "lost", reason: "weekly_limit" });
    expect([full.tried, full.state.weeklyLimit[0]?.refusedAt]).toEqual([[], NOON]);
    expect(answered({ kind: "lost", reason: "offer_gone" }).state.weeklyLimit).toEqual([]);
  });

  it.each(["timeout", "unreachable", "unreadable"] as const)(
    "that never came (%s) has it repeated once at once",
    (kind) => {
      const first = answered({ kind });
      expect(first).toMatchObject({ answer: "repeat", settled: [], tried: [] });
      expect(first.open).toEqual([{ status: "unknown", tries: 1, triedAt: NOON }]);
      const again = answered({ kind, retryAt: NOON + MINUTE_MS }, doubtful);
      expect(again).toMatchObject({ answer: "done", repeats: 0 });
      expect(again.open).toEqual([{ status: "unknown", tries: 3, triedAt: NOON }]);
      expect(again.state.throttle.until).toBe(NOON + MINUTE_MS);
      expect(first.state.throttle.until).toBeNull();
      const repeats = (fields: Partial<DriverState>) => {
        const { state } = answered({ kind }, pending, fields);
        return change(state, (one) => repeatAtOnce(one, pending.attemptId)).calls.length;
      };
      expect(repeats({})).toBe(1);
      expect(repeats({ profile: makeProfile({ switchedOn: false }) })).toBe(0);
    },
  );

  it("that it was not sent any more ends what was never sent, without a doubt", () => {
    expect(answered({ kind: "withdrawn" })).toMatchObject({
      answer: "done",
      settled: [{ status: "lost", reason: "withdrawn" }],
      doubted: [],
      tried: [],
    });
    expect(answered({ kind: "withdrawn" }, doubtful)).toMatchObject({
      answer: "done",
      settled: [],
      open: [unknown],
    });
  });

  it("that it is refused is doubted, and waits as long as it says", () => {
    const refused = answered({ kind: "refused", status: 400, retryAt: NOON + MINUTE_MS });
    expect(refused).toMatchObject({
      answer: "done",
      settled: [{ status: "lost", reason: "refused" }],
      doubted: [pending.attemptId],
      tried: ["a"],
    });
    expect(refused.state.throttle.until).toBe(NOON + MINUTE_MS);
  });

  it.each<AcceptOutcome>([
    { kind: "rate_limited", retryAt: NOON + MINUTE_MS },
    { kind: "signed_out" },
    { kind: "verification_required", url: "https://platform.example/selfie" },
  ])("that it can't be answered now leaves the offer to be tried again: $kind", (outcome) => {
    expect(answered(outcome)).toMatchObject({
      answer: "done",
      settled: [{ status: "lost", reason: outcome.kind }],
      doubted: [pending.attemptId],
      tried: [],
    });
    const repeated = answered(outcome, doubtful);
    expect(repeated).toMatchObject({ answer: "done", settled: [], doubted: [], repeats: 0 });
    expect(repeated.open).toEqual([{ status: "unknown", tries: 3, triedAt: NOON }]);
  });
});

describe("the answer to an accept that was given up", () => {
  const doubted = byId(pending, makeAttempt("2", offer), makeAttempt("3", makeOffer("other")));
  const late = (outcome: AcceptOutcome, doubtedAttempts = doubted) => {
    const state = transientState({}, { doubtedAttempts });
    let answer = "";
    const result = change(state, (one) => (answer = applyAcceptOutcome(one, pending.attemptId, outcome)));
    return { ...result, answer, before: state };
  };

  it.each<AcceptOutcome>([
    { kind: "won", block },
    { kind: "already_yours", block },
  ])("is a capture all the same ($kind), and the blocks are read", (outcome) => {
    const { answer, state, notifications } = late(outcome);
    expect(answer).toBe("done");
    expect(notifications).toEqual([{ kind: "captured", block, place: null }]);
    expect([...state.doubtedAttempts.keys()]).toEqual(["attempt-3"]);
    expect([state.held, state.transient.heldFetchedAt]).toEqual([[], LONG_AGO]);
  });

  it("changes nothing where nothing was taken, or nobody knows the attempt", () => {
    for (const outcome of [
      { kind: "lost", reason: "offer_gone" },
      { kind: "already_yours", block: null },
    ] as const) {
      const { answer, state, before } = late(outcome);
      expect([answer, state === before]).toEqual(["done", true]);
    }
    const { answer, state, before } = late({ kind: "won", block }, new Map());
    expect([answer, state === before]).toEqual(["done", true]);
  });

  it("leaves other doubts alone", () => {
    const { state, before } = late({ kind: "won", block }, byId(pending));
    expect(state.doubtedAttempts.size).toBe(0);
    const won = change({ ...before, openAttempts: byId(makeAttempt("9", makeOffer("ninth"))) }, (one) =>
      applyAcceptOutcome(one, makeAttempt("9", offer).attemptId, {
        kind: "won",
        block: makeBlock(makeOffer("ninth")),
      }),
    );
    expect(won.state.doubtedAttempts).toBe(before.doubtedAttempts);
  });
});

it("an accept that can't be answered any more is in doubt", () => {
  const old = { ...pending, createdAt: NOON - HOUR_MS };
  const { state } = change(transientState({}, { openAttempts: byId(old) }), timeOutPending);
  expect([...state.openAttempts.values()].map(({ outcome }) => outcome.status)).toEqual(["unknown"]);
  const fresh = change(transientState({}, { openAttempts: byId(pending) }), timeOutPending);
  expect([...fresh.state.openAttempts.values()]).toEqual([pending]);
});
