import { describe, expect, it } from "vitest";
import type { Profile } from "../../db/shapes/profile.ts";
import { HOUR_MS } from "../../db/shapes/units.ts";
import type { MachineEvent } from "../../durable/engine/state/types.ts";
import { accepted, activeState, logged, makeOffer, makeProfile, NOON } from "./fixtures.ts";
import { byId, inDoubt, makeAttempt } from "./parts.ts";
import { after, listed, polled, UNCHANGED, wake } from "./steps.ts";

const [first, second] = [makeOffer("a"), makeOffer("b", { startsAt: NOON + 8 * HOUR_MS })];

const told = (fields: Partial<Profile>): MachineEvent => ({
  kind: "profile_changed",
  profile: makeProfile({ revision: 2, ...fields }),
});

const STOPS: [string, Partial<Profile>][] = [
  ["switched off", { switchedOn: false }],
  ["at the end of the paid days", { serviceUntil: NOON }],
  ["waiting for a spot", { waitingForSpot: true }],
  ["in a pause of the service", { pausedUntil: NOON + HOUR_MS }],
];

/** The codes of the reasons that each verdict of a step logs. */
const judged = (step: ReturnType<typeof after>) =>
  logged(step.effects).flatMap((event) =>
    event.kind === "offer_judged"
      ? [[event.offer.offerId, ...event.reasons.map(({ code }) => code)] as const]
      : [],
  );

describe("a driver who wants no offers now", () => {
  it.each(STOPS)("hears of none that an answer under way lists: %s", (_name, fields) => {
    const polling = wake(activeState());
    const stopped = after(polling.state, told(fields), NOON + 10);
    const answered = after(stopped.state, polled(first), NOON + 40);
    expect(judged(answered)).toEqual([]);
    expect(answered.state.verdicts.size).toBe(0);
    expect(answered.state.transient.openOfferIds).toEqual([]);
  });

  it.each(STOPS)("hears of it from the next answer, which is a whole list again: %s", (_name, fields) => {
    const earlier = after(wake(activeState()).state, polled(), NOON);
    const polling = wake(earlier.state, NOON + 3_000);
    const stopped = after(polling.state, told(fields), NOON + 3_010);
    const outcome = { kind: "offers" as const, offers: [first], quota: null, etag: "e2" };
    const missed = after(stopped.state, { kind: "polled", sentAt: NOON + 3_000, outcome }, NOON + 3_040);
    const back = after(missed.state, told({ revision: 3 }), NOON + 4_000);
    const [poll] = wake(back.state, NOON + 7_000).effects.filter(({ kind }) => kind === "poll");
    expect(poll).toMatchObject({ etag: "e1" });
    expect(accepted(after(back.state, polled(first), NOON + 7_040).effects)).toEqual(["a"]);
  });

  it("still counts its answer as one of the platform's, with its quota", () => {
    const failing = activeState({ backoff: { failures: 2, retryAt: NOON - 1 } });
    const stopped = after(wake(failing).state, told({ switchedOn: false }), NOON + 10);
    const { state } = after(stopped.state, UNCHANGED, NOON + 40);
    expect(state.backoff.failures).toBe(0);
    expect(state.contact.answeredAt).toBe(NOON + 40);
  });

  it.each(STOPS)("hears of no fit since a block turned out not to be theirs: %s", (_name, fields) => {
    const unsettled = makeAttempt("x", { ...first, offerId: second.offerId }, inDoubt(1, NOON - HOUR_MS));
    const seen = after(activeState({ openAttempts: byId(unsettled) }), polled(first));
    expect(judged(seen)).toEqual([["a", "overlaps_block"]]);
    const stopped = after(seen.state, told(fields), NOON + 10);
    const settled = after(stopped.state, listed(), NOON + 60);
    expect(settled.state.openAttempts.size).toBe(0);
    expect(judged(wake(settled.state, NOON + 100))).toEqual([]);
  });

  it("hears that an offer was passed over for a block that an accept under way won", () => {
    const beside = makeOffer("b", { payCents: 8_000 });
    const seen = after(activeState(), polled(first, beside));
    const [id] = [...seen.state.openAttempts.keys()];
    const stopped = after(seen.state, told({ switchedOn: false }), NOON + 10);
    if (!id) throw new Error("nothing was tried");
    const won = after(
      stopped.state,
      { kind: "accepted", attemptId: id, outcome: { kind: "won", block: null } },
      NOON + 60,
    );
    expect(judged(won)).toEqual([["b", "overlaps_block"]]);
  });
});
