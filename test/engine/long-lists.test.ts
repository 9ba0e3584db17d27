import { describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../db/shapes/units.ts";
import { recover } from "../../durable/engine/initial-state.ts";
import { nextWakeAt, step } from "../../durable/engine/machine.ts";
import { recallQuota } from "../../durable/engine/quota-memory.ts";
import type { DriverState, ListParts, PollOutcome } from "../../durable/engine/types.ts";
import { NOON, activeState, ctx, makeProfile } from "./fixtures.ts";
import { QuotaMeter, ours, peak, refusals, type MeterKind } from "./quota-meter.ts";

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
      const sent = Array.from({ length: Math.min(PARTS, poll.maxCalls) }, (_, index) => now + index * 30);
      const quota = sent.map((at) => meter.spend(at)).at(-1)!;
      const outcome: PollOutcome =
        "retryAt" in quota
          ? { kind: "rate_limited", retryAt: quota.retryAt }
          : { kind: "offers", offers: [], quota, etag: null };
      now += 120;
      const [sentAt = now, ...partsSentAt] = sent;
      state = step(state, { kind: "polled", sentAt, partsSentAt, outcome }, ctx(now)).state;
    }
    return meter;
  };

  it.each(["fixed", "calendar", "sliding", "sliding_full"] as const)(
    "is asked for within a quota whose windows are %s",
    (kind) => {
      for (const limit of [4, 10, 15, 30, 60]) {
        const meter = pollInParts(kind, limit);
        expect([limit, refusals(meter)]).toEqual([limit, 0]);
        // Before the first answer nobody knows of a limit.
        const told = ours(meter).slice(PARTS);
        expect(peak(told, MINUTE_MS)).toBeLessThanOrEqual(limit);
        // Three calls at a time fit into it less closely.
        expect(told.length).toBeGreaterThan(5 * limit);
      }
    },
  );
});

describe("the parts of a list that is too long for one answer", () => {
  const polled = (state: DriverState, at: number, parts: ListParts | null): DriverState =>
    step(state, { kind: "polled", sentAt: at, parts, outcome: { kind: "unreadable" } }, ctx(at + 40)).state;
  const askedFor = (state: DriverState, at: number) =>
    step(state, { kind: "woke" }, ctx(at)).effects.flatMap((effect) =>
      effect.kind === "poll" ? [effect.parts] : [],
    );

  it("outlive the object's memory, which it leaves between two polls where the quota is small", () => {
    const asked = step(activeState(), { kind: "woke" }, ctx(NOON)).state;
    const read = polled(asked, NOON, { size: 2, read: 1 });
    const later = NOON + 2 * MINUTE_MS;
    const recalled = recallQuota(recover({ ...read, transient: activeState().transient }), later);
    expect(askedFor(recalled, later)).toEqual([{ size: 2, read: 1 }]);
  });

  it("are forgotten once the list fits, and with the account", () => {
    const asked = step(activeState(), { kind: "woke" }, ctx(NOON)).state;
    const read = polled(asked, NOON, { size: 2, read: 1 });
    expect(polled(read, NOON, null).listParts).toBeNull();
    expect(step(read, { kind: "unlinked" }, ctx(NOON + 50)).state.listParts).toBeNull();
  });

  it("change nothing that is stored while a poll says nothing of them", () => {
    const asked = step(activeState(), { kind: "woke" }, ctx(NOON)).state;
    const read = polled(asked, NOON, { size: 2, read: 1 });
    const event = { kind: "polled", sentAt: NOON, outcome: { kind: "unreadable" } } as const;
    expect(step(read, event, ctx(NOON + 50)).state.listParts).toBe(read.listParts);
  });
});
