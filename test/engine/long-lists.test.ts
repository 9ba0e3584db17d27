import { describe, expect, it, vi } from "vitest";
import { HOUR_MS, MINUTE_MS, type WarehouseId } from "../../db/shapes/units.ts";
import { recover } from "../../durable/engine/initial-state.ts";
import { nextWakeAt } from "../../durable/engine/next-wake.ts";
import { step } from "../../durable/engine/machine.ts";
import { recallQuota } from "../../durable/engine/quota/memory.ts";
import type { PollOutcome } from "../../durable/engine/state/outcomes.ts";
import type { DriverState, ListParts, MachineEvent } from "../../durable/engine/state/types.ts";
import type { Offer } from "../../db/shapes/work/offer.ts";
import {
  BETHPAGE,
  NOON,
  activeState,
  ctx,
  idOf,
  logged,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
} from "./fixtures.ts";
import { throttled } from "./parts.ts";
import { QuotaMeter, ours, peak, refusals, type MeterKind } from "./quota/quota-meter.ts";
import { after, answer, attempts, polled } from "./steps.ts";

/** Thousands of polls take seconds on a busy machine. */
vi.setConfig({ testTimeout: 60_000 });

describe("a list that is too long for one answer", () => {
  const PARTS = 3;
  /** Polls a platform that takes three calls for a list, as far as the quota has room. */
  const pollInParts = (kind: MeterKind, limit: number) => {
    const meter = new QuotaMeter({ kind, windowMs: MINUTE_MS, limitAt: () => limit });
    let state: DriverState = activeState({ profile: makeProfile({ mode: "masacre" }) });
    for (let now = NOON; now < NOON + 10 * MINUTE_MS;) {
      now = Math.max(now + 1, nextWakeAt(state, ctx(now)) ?? now);
      const woken = step(state, { kind: "woke" }, ctx(now));
      state = woken.state;
      const poll = woken.effects.find((effect) => effect.kind === "poll");
      if (!poll) continue;
      const { read } = poll.parts ?? { read: 0 };
      const calls = Math.min(PARTS - read, poll.maxCalls);
      const sent = Array.from({ length: calls }, (_, index) => now + index * 30);
      const quota = sent.map((at) => meter.spend(at)).at(-1)!;
      const outcome: PollOutcome =
        "retryAt" in quota
          ? { kind: "rate_limited", retryAt: quota.retryAt }
          : { kind: "offers", offers: [], quota, etag: null };
      now += 120;
      const [sentAt = now, ...partsSentAt] = sent;
      const parts = { size: 1, read: (read + calls) % PARTS, length: 0 };
      state = step(state, { kind: "polled", sentAt, partsSentAt, parts, outcome }, ctx(now)).state;
    }
    return meter;
  };

  it.each(["fixed", "calendar", "sliding", "sliding_full"] as const)(
    "is requested within a quota whose windows are %s",
    (kind) => {
      for (const limit of [4, 10, 15, 30, 60]) {
        const meter = pollInParts(kind, limit);
        expect([limit, refusals(meter)]).toEqual([limit, 0]);
        // Before the first answer nobody knows of a limit.
        const told = ours(meter).slice(PARTS);
        expect(peak(told, MINUTE_MS)).toBeLessThanOrEqual(limit);
        const learned = told.filter((at) => at >= NOON + 2 * MINUTE_MS);
        // A poll a second is 60 of the 60.
        expect([limit, learned.length / (8 * limit) >= 0.85]).toEqual([limit, true]);
      }
    },
  );
});

describe("a part of a list that is too long for one answer", () => {
  const MASPETH = idOf.warehouse("DNY5");
  const warehouses = [makeWarehouse(), makeWarehouse({ warehouseId: MASPETH })];
  const filters = makeFilters({
    warehouses: warehouses.map(({ warehouseId }) => makeWarehouseFilter({ warehouseId })),
  });
  const state = activeState({ warehouses, profile: makeProfile({ filters, mode: "masacre" }) });
  const [a, b] = [makeOffer("a"), makeOffer("b", { warehouseId: MASPETH, startsAt: NOON + 9 * HOUR_MS })];
  const partOf = (warehouseId: WarehouseId, ...offers: Offer[]): MachineEvent => ({
    kind: "polled",
    sentAt: NOON,
    outcome: { kind: "offers", offers, quota: null, etag: null, partOf: [warehouseId] },
  });
  const lost = { kind: "lost", reason: "offer_gone" } as const;
  const afterLoss = answer(step(state, polled(a), ctx(NOON)), lost).state;

  it("says nothing of the other warehouses: what was tried there is not tried again", () => {
    const other = step(afterLoss, partOf(MASPETH, b), ctx(NOON + 1000));
    expect(attempts(other).map(({ offer }) => offer.offerId)).toEqual([b.offerId]);
    expect(other.state.transient.openOfferIds).toEqual([a.offerId, b.offerId]);
    const { state: settled } = answer(other, lost, NOON + 1100);
    expect(attempts(step(settled, partOf(BETHPAGE, a), ctx(NOON + 2000)))).toEqual([]);
  });

  it("ends what is not listed in it any more, and what has expired", () => {
    const other = step(afterLoss, partOf(MASPETH, b), ctx(NOON + 1000)).state;
    const openAfter = (event: MachineEvent, now = NOON + 2000) =>
      step(other, event, ctx(now)).state.transient.openOfferIds;
    expect(openAfter(partOf(BETHPAGE))).toEqual([b.offerId]);
    expect(openAfter(partOf(MASPETH, b), a.expiresAt)).toEqual([b.offerId]);
    expect(openAfter(polled())).toEqual([]);
    const again = step(
      step(other, partOf(BETHPAGE), ctx(NOON + 2000)).state,
      partOf(BETHPAGE, a),
      ctx(NOON + 3000),
    );
    expect(attempts(again).map(({ offer }) => offer.offerId)).toEqual([a.offerId]);
  });

  it("says nothing of an untried match elsewhere after a restart, until that is read or it expires", () => {
    const waiting = activeState({ ...state, ...throttled(NOON + 30_000) });
    const untried = after(waiting, polled(b), NOON).state;
    expect(untried.untried).toEqual([b.offerId]);
    const restarted = recover({ ...untried, transient: activeState().transient });
    const goneAfter = (event: MachineEvent, now = NOON + 1000) =>
      logged(after(restarted, event, now).effects).filter(({ kind }) => kind === "match_gone").length;
    expect([goneAfter(partOf(BETHPAGE, a)), goneAfter(partOf(MASPETH)), goneAfter(polled(a))]).toEqual([
      0, 1, 1,
    ]);
    expect(goneAfter(partOf(BETHPAGE), b.expiresAt)).toBe(1);
  });
});

describe("the parts of a list that is too long for one answer", () => {
  const readUpTo = (state: DriverState, at: number, parts: ListParts | null): DriverState =>
    step(state, { kind: "polled", sentAt: at, parts, outcome: { kind: "unreadable" } }, ctx(at + 40)).state;
  const askedFor = (state: DriverState, at: number) =>
    step(state, { kind: "woke" }, ctx(at)).effects.flatMap((effect) =>
      effect.kind === "poll" ? [effect.parts] : [],
    );

  it("outlive the object's memory, which it leaves between two polls where the quota is small", () => {
    const asked = step(activeState(), { kind: "woke" }, ctx(NOON)).state;
    const read = readUpTo(asked, NOON, { size: 2, read: 1, length: 9 });
    const later = NOON + 2 * MINUTE_MS;
    const recalled = recallQuota(recover({ ...read, transient: activeState().transient }), later);
    expect(askedFor(recalled, later)).toEqual([{ size: 2, read: 1, length: 9 }]);
  });

  it("are forgotten once the list fits, and with the account", () => {
    const asked = step(activeState(), { kind: "woke" }, ctx(NOON)).state;
    const read = readUpTo(asked, NOON, { size: 2, read: 1, length: 9 });
    expect(readUpTo(read, NOON, null).listParts).toBeNull();
    expect(step(read, { kind: "unlinked" }, ctx(NOON + 50)).state.listParts).toBeNull();
  });

  it("change nothing that is stored while a poll says nothing of them", () => {
    const asked = step(activeState(), { kind: "woke" }, ctx(NOON)).state;
    const read = readUpTo(asked, NOON, { size: 2, read: 1, length: 9 });
    const event = { kind: "polled", sentAt: NOON, outcome: { kind: "unreadable" } } as const;
    expect(step(read, event, ctx(NOON + 50)).state.listParts).toBe(read.listParts);
  });
});
