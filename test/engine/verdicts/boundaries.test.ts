import { expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { step } from "../../../durable/engine/machine.ts";
import type { DriverState, StepResult } from "../../../durable/engine/state/types.ts";
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
} from "../fixtures.ts";
import { after, answer, listed, polled } from "../steps.ts";

// Time limits of the engine, each tested just before and at the limit.

const blocksRead = (state: DriverState, now: number) => after(state, listed(), now).state;

it.each([
  [MINUTE_MS - 1, 1],
  [MINUTE_MS, 0],
])("with a block won %i ms ago that is missing from a fetched list, holds %i", (age, held) => {
  const block = makeBlock(makeOffer("a"), { acceptedAt: NOON });
  expect(blocksRead(activeState({ held: [block] }), NOON + age).held).toHaveLength(held);
});

it.each([
  [30_000, ["rival"]],
  [30_001, []],
])("after losing the attempt that overlapped it, accepts from a listing %i ms old: %j", (age, expected) => {
  const inHours = (hours: number) => ({
    startsAt: NOON + hours * HOUR_MS,
    endsAt: NOON + (hours + 3) * HOUR_MS,
  });
  const offers = [
    makeOffer("best", { ...inHours(4), payCents: 20_000 }),
    makeOffer("rival", { ...inHours(5), payCents: 15_000 }),
    makeOffer("other", { ...inHours(9), payCents: 15_000 }),
  ];
  const turbo = activeState({ profile: makeProfile({ mode: "masacre" }) });
  const started = step(turbo, polled(...offers), ctx(NOON));
  expect(accepted(started.effects).toSorted()).toEqual(["best", "other"]);
  const lost = answer(started, { kind: "lost", reason: "offer_gone" }, NOON + age);
  expect(accepted(lost.effects)).toEqual(expected);
});

it.each([
  [2 * MINUTE_MS - 1, "pending"],
  [2 * MINUTE_MS, "unknown"],
])("has an attempt that was started %i ms ago %s", (age, status) => {
  const { state } = step(activeState(), polled(makeOffer("a")), ctx(NOON));
  const off = { ...state, profile: makeProfile({ revision: 2, switchedOn: false }) };
  const woken = step(off, { kind: "woke" }, ctx(NOON + age)).state;
  expect([...woken.openAttempts.values()].map(({ outcome }) => outcome.status)).toEqual([status]);
});

it("judges an offer again if its currency changed", () => {
  const poor = makeOffer("a", { payCents: 100 });
  const first = step(activeState(), polled(poor), ctx(NOON)).state;
  const again = step(first, polled(poor), ctx(NOON + 3000));
  const other = step(first, polled({ ...poor, currency: "EUR" }), ctx(NOON + 3000));
  const judged = (result: StepResult) =>
    logged(result.effects).filter(({ kind }) => kind === "offer_judged").length;
  expect([judged(again), judged(other)]).toEqual([0, 1]);
  expect(kinds(other.effects)).toContain("log");
});
