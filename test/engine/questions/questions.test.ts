import { describe, expect, it } from "vitest";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { MAX_QUESTIONS_AN_HOUR, type Question } from "../../../db/shapes/work/question.ts";
import type { RuleAction } from "../../../db/shapes/work/rule-action.ts";
import type { ExtraRule } from "../../../db/shapes/work/filters.ts";
import { HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import { recover } from "../../../durable/engine/initial-state.ts";
import { nextWakeAt } from "../../../durable/engine/next-wake.ts";
import { maySendAccept } from "../../../durable/engine/attempts/unsettled-attempts.ts";
import type {
  DriverNotification,
  DriverState,
  MachineEvent,
  StepResult,
} from "../../../durable/engine/state/types.ts";
import {
  accepted,
  activeState,
  ctx,
  idOf,
  makeBlock,
  makeExtraRule,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
} from "../fixtures.ts";
import { after, answer as respond, attempts, listed, polled, wake } from "../steps.ts";

const SECOND = 1000;
const MASPETH = idOf.warehouse("DBK4");

/** Bethpage does this with what fits; Maspeth takes it. */
function asking(action: RuleAction = "ask", askSeconds = 60): DriverState {
  return activeState({
    profile: makeProfile({
      filters: makeFilters({
        warehouses: [
          makeWarehouseFilter({ action, askSeconds }),
          makeWarehouseFilter({ warehouseId: MASPETH }),
        ],
      }),
    }),
    warehouses: [makeWarehouse(), makeWarehouse({ warehouseId: MASPETH })],
  });
}

const read = (state: DriverState, ...offers: Offer[]) => after(state, polled(...offers));

const asked = (...offers: Offer[]) => read(asking(), ...offers).state;

const said = ({ effects }: StepResult, kind: DriverNotification["kind"]) =>
  effects
    .flatMap((effect) => (effect.kind === "notify" ? effect.notifications : []))
    .filter((one) => one.kind === kind);

const logged = ({ effects }: StepResult) =>
  effects.flatMap((effect) => (effect.kind === "log" ? effect.events.map(({ kind }) => kind) : []));

function only({ questions }: DriverState): Question {
  const [question] = questions;
  if (!question || questions.length > 1) throw new Error(`${questions.length} questions`);
  return question;
}

const statusOf = (state: DriverState) => only(state).state.status;

function say(state: DriverState, answer: "take" | "pass", now: EpochMs = NOON + 5 * SECOND): StepResult {
  const { questionId } = state.questions.at(-1) ?? only(state);
  return after(state, { kind: "question_answered", questionId, answer }, now);
}

const reasonsOf = (state: DriverState, name: string) =>
  state.verdicts.get(idOf.offer(name))?.reasons.map(({ code }) => code);

describe("a rule that asks", () => {
  it("asks about an offer once, and takes nothing", () => {
    const first = read(asking(), makeOffer("a"));
    expect([accepted(first.effects), said(first, "asked").length, statusOf(first.state)]).toEqual([
      [],
      1,
      "waiting",
    ]);
    const next = after(first.state, polled(makeOffer("a")), NOON + 3 * SECOND);
    expect([said(next, "asked"), next.state.questions]).toEqual([[], first.state.questions]);
  });

  it("waits as long as the driver chose, and never longer than the offer stands", () => {
    expect(only(read(asking("ask", 15), makeOffer("a")).state).closesAt).toBe(NOON + 15 * SECOND);
    const soon = makeOffer("a", { expiresAt: NOON + 7 * SECOND });
    expect(only(asked(soon)).closesAt).toBe(NOON + 7 * SECOND);
  });

  it("wakes for the end of its question, and for nothing else then", () => {
    const state = read(asking("ask", 15), makeOffer("a")).state;
    const off = { ...state, throttle: { step: 1, until: NOON + HOUR_MS, since: NOON, isNotified: true } };
    expect(nextWakeAt(off, ctx(NOON + SECOND))).toBe(NOON + 15 * SECOND);
    const over = wake(off, NOON + 15 * SECOND);
    expect([statusOf(over.state), nextWakeAt(over.state, ctx(NOON + 15 * SECOND))]).toEqual([
      "unanswered",
      NOON + HOUR_MS,
    ]);
  });

  it("takes the offer after a yes, by an attempt with an id of its own", () => {
    const yes = say(asked(makeOffer("a")), "take");
    const [attempt] = attempts(yes);
    expect([accepted(yes.effects), only(yes.state).state]).toEqual([
      ["a"],
      { status: "accepting", at: NOON + 5 * SECOND, attemptId: attempt?.attemptId },
    ]);
    expect(logged(yes)).toContain("question_closed");
    const won = respond(yes, { kind: "won", block: makeBlock(makeOffer("a")) }, NOON + 6 * SECOND);
    expect([statusOf(won.state), won.state.held.length]).toEqual(["captured", 1]);
  });

  it("of several offers has each its own outcome, in whatever order they come", () => {
    const waiting = asked(
      makeOffer("a"),
      makeOffer("b", { startsAt: NOON + 30 * HOUR_MS, endsAt: NOON + 32 * HOUR_MS }),
    );
    const taken = waiting.questions.map(({ questionId }) => questionId);
    let state = waiting;
    const sent = taken.flatMap((questionId) => {
      const yes = after(state, { kind: "question_answered", questionId, answer: "take" }, NOON + 5 * SECOND);
      state = yes.state;
      return attempts(yes);
    });
    const outcomes: string[][] = [];
    for (const { attemptId } of sent.toReversed()) {
      const outcome = { kind: "lost", reason: "offer_gone" } as const;
      state = after(state, { kind: "accepted", attemptId, outcome }, NOON + 6 * SECOND).state;
      outcomes.push(state.questions.map((question) => question.state.status));
    }
    expect(outcomes).toEqual([
      ["accepting", "missed"],
      ["missed", "missed"],
    ]);
  });

  it("says that it was missed where the attempt was lost, and doesn't ask again", () => {
    const yes = say(asked(makeOffer("a")), "take");
    const lost = respond(yes, { kind: "lost", reason: "offer_gone" }, NOON + 6 * SECOND);
    const saved = after(
      { ...lost.state, transient: { ...lost.state.transient, triedOffers: new Set() } },
      polled(makeOffer("a")),
      NOON + 9 * SECOND,
    );
    expect([statusOf(lost.state), saved.state.questions.length, accepted(saved.effects)]).toEqual([
      "missed",
      1,
      [],
    ]);
  });

  it("passes over that offer alone after a no", () => {
    const state = asked(makeOffer("a"));
    const no = say(state, "pass");
    expect([accepted(no.effects), reasonsOf(no.state, "a"), statusOf(no.state)]).toEqual([
      [],
      ["passed"],
      "passed",
    ]);
    const next = after(no.state, polled(makeOffer("a"), makeOffer("b")), NOON + 9 * SECOND);
    expect(next.state.questions.map(({ offer, state: { status } }) => [offer.offerId, status])).toEqual([
      ["a", "passed"],
      ["b", "waiting"],
    ]);
  });

  it("asks anew about an offer whose pay changed", () => {
    const no = say(asked(makeOffer("a")), "pass").state;
    const next = after(no, polled(makeOffer("a", { payCents: 12_000 })), NOON + 9 * SECOND);
    expect(next.state.questions.map(({ state: { status } }) => status)).toEqual(["passed", "waiting"]);
  });

  it("has one effect however often it is answered", () => {
    const yes = say(asked(makeOffer("a")), "take");
    const again = say(yes.state, "take", NOON + 5 * SECOND);
    const no = say(again.state, "pass", NOON + 6 * SECOND);
    expect([
      accepted(again.effects),
      accepted(no.effects),
      no.state.openAttempts.size,
      statusOf(no.state),
    ]).toEqual([[], [], 1, "accepting"]);
  });

  it("is over in the instant in which its time ends", () => {
    const late = say(asked(makeOffer("a")), "take", NOON + 60 * SECOND);
    expect([accepted(late.effects), statusOf(late.state), reasonsOf(late.state, "a")]).toEqual([
      [],
      "unanswered",
      ["unanswered"],
    ]);
    expect(statusOf(say(late.state, "take", NOON + 61 * SECOND).state)).toBe("unanswered");
  });

  it("survives a restart while it waits, and takes the offer once it is listed again", () => {
    const state = asked(makeOffer("a"));
    const restarted = recover({ ...state, transient: activeState().transient });
    const yes = say(restarted, "take");
    expect([accepted(yes.effects), statusOf(yes.state)]).toEqual([[], "approved"]);
    const next = after(read(yes.state, makeOffer("a")).state, listed());
    expect([accepted(next.effects), statusOf(next.state)]).toEqual([["a"], "accepting"]);
  });

  it.each<[string, Partial<Offer>]>([
    ["lower pay", { payCents: 6_000 }],
    ["another start", { startsAt: NOON + 6 * HOUR_MS }],
  ])("takes nothing by a yes to an offer that has %s once it can be tried", (_name, changed) => {
    const waiting = asked(makeOffer("a"));
    const until = NOON + 40 * SECOND;
    const yes = say({ ...waiting, throttle: { step: 0, until, since: NOON, isNotified: false } }, "take");
    expect([accepted(yes.effects), statusOf(yes.state)]).toEqual([[], "approved"]);
    const awake = wake(yes.state, until).state;
    const next = after(awake, polled(makeOffer("a", changed)), until + SECOND);
    expect([accepted(next.effects), next.state.questions[0]?.state]).toEqual([
      [],
      { status: "withdrawn", at: until + SECOND, reason: "offer_changed" },
    ]);
  });

  it("takes the offer for no less than the driver said yes to", () => {
    const [attempt] = attempts(say(asked(makeOffer("a")), "take"));
    expect(attempt?.payAtLeastCents).toBe(9_000);
  });

  it("gives up a yes that could not be tried in time", () => {
    const state = asked(makeOffer("a"));
    const restarted = recover({ ...state, transient: activeState().transient });
    const yes = say(restarted, "take", NOON + 59 * SECOND).state;
    const over = wake(yes, NOON + 89 * SECOND).state;
    expect(only(over).state).toEqual({ status: "withdrawn", at: NOON + 89 * SECOND, reason: "not_in_time" });
  });

  it("says of a yes that it waited in vain for the driver to verify themselves, and takes it once they have", () => {
    const state = { ...asked(makeOffer("a")), verification: { url: null, since: NOON } };
    const yes = say(state, "take", NOON + 40 * SECOND);
    expect([attempts(yes), statusOf(yes.state)]).toEqual([[], "approved"]);
    const over = wake(yes.state, NOON + 70 * SECOND).state;
    expect(only(over).state).toEqual({
      status: "withdrawn",
      at: NOON + 70 * SECOND,
      reason: "verification",
    });
    const verified = {
      kind: "verification_checked",
      outcome: { kind: "verification", required: false },
    } as const;
    const allowed = after(yes.state, verified, NOON + 50 * SECOND).state;
    expect(attempts(after(allowed, polled(makeOffer("a")), NOON + 51 * SECOND))).toHaveLength(1);
  });
});

describe("a question is withdrawn", () => {
  const at = NOON + 3 * SECOND;
  const overlapping = makeOffer("b", { warehouseId: MASPETH, payCents: 5_000 });

  it.each<[string, string, MachineEvent, EpochMs]>([
    ["the offer is gone", "offer_gone", polled(), at],
    ["its pay changed", "offer_changed", polled(makeOffer("a", { payCents: 9_500 })), at],
    ["the driver unlinked", "stopped", { kind: "unlinked" }, at],
    ["another account was linked", "stopped", { kind: "linked", warehouses: [makeWarehouse()] }, at],
    [
      "the driver was switched off",
      "stopped",
      {
        kind: "profile_changed",
        profile: makeProfile({ ...asking().profile, revision: 2, switchedOn: false }),
      },
      at,
    ],
    [
      "service ended",
      "stopped",
      {
        kind: "profile_changed",
        profile: makeProfile({ ...asking().profile, revision: 2, serviceUntil: at }),
      },
      at,
    ],
    [
      "service was paused",
      "stopped",
      {
        kind: "profile_changed",
        profile: makeProfile({ ...asking().profile, revision: 2, pausedUntil: at + HOUR_MS }),
      },
      at,
    ],
    [
      "the filters were saved",
      "filters_changed",
      {
        kind: "profile_changed",
        profile: makeProfile({ ...asking().profile, revision: 2, filtersVersion: 2 }),
      },
      at,
    ],
    ["its time may be taken without asking", "other_block", polled(makeOffer("a"), overlapping), at],
    ["the driver took its time by hand", "other_block", listed(makeBlock(makeOffer("x"))), at],
  ])("once %s, and a late yes has no effect", (_case, reason, event, now) => {
    const next = after(asked(makeOffer("a")), event, now);
    const [question] = next.state.questions;
    expect(question?.state).toEqual({ status: "withdrawn", at: now, reason });
    const { questionId } = question ?? only(next.state);
    const late = after(next.state, { kind: "question_answered", questionId, answer: "take" }, now + SECOND);
    expect(accepted(late.effects)).not.toContain("a");
    expect(late.state.questions[0]?.state).toEqual({ status: "withdrawn", at: now, reason });
  });

  it("keeps its span free meanwhile: what may be taken without asking is taken", () => {
    const next = after(asked(makeOffer("a")), polled(makeOffer("a"), overlapping), at);
    expect(accepted(next.effects)).toEqual(["b"]);
  });

  it("is not asked about a time that is taken in the same poll", () => {
    const { state, effects } = read(asking(), makeOffer("a"), overlapping);
    expect([accepted(effects), state.questions]).toEqual([["b"], []]);
  });

  it("asks about one of several offers for the same time, and about the next after a no", () => {
    const best = makeOffer("b", { payCents: 12_000 });
    const first = asked(makeOffer("a"), best);
    expect(first.questions.map(({ offer }) => offer.offerId)).toEqual(["b"]);
    expect(say(first, "pass").state.questions.map(({ offer }) => offer.offerId)).toEqual(["b", "a"]);
  });
});

describe("questions of an hour", () => {
  const many = (count: number, from = 0) =>
    Array.from({ length: count }, (_, index) =>
      makeOffer(`o${from + index}`, {
        startsAt: NOON + (24 + 4 * (from + index)) * HOUR_MS,
        endsAt: NOON + (27 + 4 * (from + index)) * HOUR_MS,
        expiresAt: NOON + 5 * HOUR_MS,
      }),
    );

  it("are six at most, and one message tells of the rest", () => {
    const first = read(asking(), ...many(9));
    expect([said(first, "asked").length, said(first, "questions_limited").length]).toEqual([
      MAX_QUESTIONS_AN_HOUR,
      1,
    ]);
    expect(many(9).map(({ offerId }) => reasonsOf(first.state, offerId)?.[0])).toEqual([
      ...Array.from({ length: 6 }, () => undefined),
      "only_told",
      "only_told",
      "only_told",
    ]);
    const more = after(first.state, polled(...many(12)), NOON + 10 * MINUTE_MS);
    expect([said(more, "asked"), said(more, "questions_limited")]).toEqual([[], []]);
  });

  it("are asked again once the first is an hour old", () => {
    const first = read(asking(), ...many(6)).state;
    const early = after(first, polled(...many(7)), NOON + HOUR_MS - 1);
    expect(said(early, "asked")).toEqual([]);
    const later = after(
      after(first, polled(...many(6)), NOON + HOUR_MS).state,
      polled(...many(7)),
      NOON + HOUR_MS + 10,
    );
    const known = after(later.state, listed(), NOON + HOUR_MS + 20);
    expect([...said(later, "asked"), ...said(known, "asked")]).toHaveLength(1);
  });
});

describe("an offer that one rule takes, and that would be asked about for less by another", () => {
  const leastFor = (extra: Partial<ExtraRule>) => {
    const warehouses = [
      makeWarehouseFilter({
        minPriceCents: 8_000,
        extraRules: [makeExtraRule({ minPriceCents: 5_000, ...extra })],
      }),
    ];
    const profile = makeProfile({ filters: makeFilters({ warehouses }) });
    return attempts(read(activeState({ profile }), makeOffer("a"))).map(
      ({ payAtLeastCents }) => payAtLeastCents,
    );
  };

  it.each<[string, Partial<ExtraRule>, least: number]>([
    ["asks", { action: "ask" }, 8_000],
    ["only tells", { action: "tell" }, 8_000],
    ["wants more time before the start", { bufferMinutes: 181 }, 8_000],
    ["takes it, too", { bufferMinutes: 180 }, 5_000],
  ])("is taken for no less than the first wants where the other %s", (_other, extra, least) => {
    expect(leastFor(extra)).toEqual([least]);
  });
});

describe("a rule that only tells", () => {
  it("tells once of what fits, and takes nothing", () => {
    const first = read(asking("tell"), makeOffer("a"), makeOffer("b"));
    expect([accepted(first.effects), first.state.questions, reasonsOf(first.state, "a")]).toEqual([
      [],
      [],
      ["only_told"],
    ]);
    expect(said(first, "offers_told")).toEqual([
      { kind: "offers_told", offer: makeOffer("a"), place: expect.anything(), count: 2 },
    ]);
    expect(said(after(first.state, polled(makeOffer("a")), NOON + SECOND), "offers_told")).toEqual([]);
  });

  it("keeps an accept back that was about to leave when the rule came to ask", () => {
    const start = read(asking("take"), makeOffer("a"));
    const [attempt] = attempts(start);
    if (!attempt) throw new Error("no attempt");
    expect(maySendAccept(start.state, attempt.attemptId, NOON)).toBe(true);
    for (const action of ["ask", "tell"] as const) {
      const profile = makeProfile({ ...asking(action).profile, revision: 2, filtersVersion: 2 });
      const saved = after(start.state, { kind: "profile_changed", profile });
      expect(maySendAccept(saved.state, attempt.attemptId, NOON)).toBe(false);
    }
  });

  it("takes what fits a stronger rule elsewhere", () => {
    const { effects } = read(asking("tell"), makeOffer("a"), makeOffer("b", { warehouseId: MASPETH }));
    expect(accepted(effects)).toEqual(["b"]);
  });
});
