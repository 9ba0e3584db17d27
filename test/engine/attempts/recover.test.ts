import { expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { initialState, recover } from "../../../durable/engine/initial-state.ts";
import { step } from "../../../durable/engine/machine.ts";
import type { MachineEvent } from "../../../durable/engine/state/types.ts";
import { activeState, ctx, makeOffer, NOON } from "../fixtures.ts";
import { byId, makeAttempt } from "../parts.ts";

it("a driver of whom nothing is known is off, unlinked, and has nothing", () => {
  expect(initialState("0123456789abc")).toMatchObject({
    profile: null,
    link: { status: "unlinked" },
    warehouses: [],
    held: [],
    givenBack: [],
    seenServiceChanges: [],
    weeklyLimit: [],
    verification: null,
    expiryWarnings: { endsAt: null, thresholdsMs: [], isEndTold: false, renewalAt: null },
    phase: { kind: "off" },
    transient: {
      etag: null,
      lastPollAt: null,
      polls: [],
      heldFetchedAt: null,
      overlapRefusals: [],
      unreadableHeld: [],
      openOfferIds: [],
    },
  });
});

it("after a restart attempts under way are in doubt since they began, and others are as they were", () => {
  const outcome = { status: "unknown", tries: 3, triedAt: NOON - 1 } as const;
  const pending = makeAttempt("1", makeOffer("a"), { createdAt: NOON - MINUTE_MS });
  const doubtful = makeAttempt("2", makeOffer("b"), { outcome });
  const { openAttempts } = recover(activeState({ openAttempts: byId(pending, doubtful) }));
  expect([...openAttempts.values()]).toEqual([
    { ...pending, outcome: { status: "unknown", tries: 1, triedAt: NOON - MINUTE_MS } },
    doubtful,
  ]);
  const calm = activeState({ openAttempts: byId(doubtful) });
  expect(recover(calm)).toBe(calm);
});

const woke: MachineEvent = { kind: "woke" };

it("a driver hears once of a wait of more than an hour, and of no shorter one", () => {
  const waiting = (until: number, isNotified = false) =>
    activeState({ throttle: { step: 1, until, since: NOON, isNotified } });
  const told = (state = waiting(NOON + HOUR_MS + 1)) => {
    const { effects, state: next } = step(state, woke, ctx(NOON));
    const notified = effects.flatMap((effect) => (effect.kind === "notify" ? effect.notifications : []));
    return { notified: notified.map(({ kind }) => kind), throttle: next.throttle };
  };
  expect(told().notified).toEqual(["long_wait"]);
  expect(told().throttle.isNotified).toBe(true);
  expect(told(waiting(NOON + HOUR_MS)).notified).toEqual([]);
  expect(told(waiting(NOON + 2 * HOUR_MS, true)).notified).toEqual([]);
});
