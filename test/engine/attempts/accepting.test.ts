import { describe, expect, it } from "vitest";
import { step } from "../../../durable/engine/machine.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import {
  accepted,
  ctx,
  idOf,
  kinds,
  logged,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
  NOON,
  activeState,
} from "../fixtures.ts";
import { answer, attempts, polled, UNCHANGED } from "../steps.ts";

const PLACE = { name: "Bethpage (DNY4)", timeZone: "America/New_York" };

describe("accepting", () => {
  it("stores the attempt with its key before the call", () => {
    const filters = makeFilters({
      warehouses: [makeWarehouseFilter({ minPriceCents: 5000, minHourlyCents: 2100 })],
    });
    const started = step(
      activeState({ profile: makeProfile({ filters }) }),
      polled(makeOffer("a")),
      ctx(NOON),
    );
    const [attempt] = attempts(started);
    expect(attempt).toEqual({
      attemptId: "0123456789abc-0",
      offer: makeOffer("a"),
      place: PLACE,
      payAtLeastCents: 6300,
      createdAt: NOON,
      endedAt: null,
      outcome: { status: "pending" },
    });
    expect([...started.state.openAttempts.values()]).toEqual([attempt]);
    expect(started.state.attemptSeq).toBe(1);
    expect(logged(started.effects).map(({ kind }) => kind)).toEqual(["offer_judged", "attempt_started"]);
  });

  it("adds a won block to those held, notifies the driver once, and continues with the remaining matches", () => {
    const [first = makeOffer("o0"), ...others] = [0, 1, 2, 3, 4].map((n) =>
      makeOffer(`o${n}`, { startsAt: NOON + (3 + 3 * n) * HOUR_MS, payCents: 9000 - n }),
    );
    const start = step(activeState(), polled(first, ...others), ctx(NOON));
    expect(accepted(start.effects)).toEqual(["o0", "o1", "o2", "o3"]);
    const won = answer(start, { kind: "won", block: makeBlock(first) });
    expect(won.state.held).toEqual([makeBlock(first)]);
    expect(won.effects).toContainEqual({
      kind: "notify",
      notifications: [{ kind: "captured", block: makeBlock(first), place: PLACE }],
    });
    expect(accepted(won.effects)).toEqual(["o4"]);
    const again = answer({ ...start, state: won.state }, { kind: "won", block: makeBlock(first) });
    expect(kinds(again.effects)).not.toContain("notify");
  });

  it("fetches the blocks before each accept in secure mode, and accepts only the earliest match", () => {
    const [later, sooner] = [
      makeOffer("later", { startsAt: NOON + 9 * HOUR_MS, payCents: 20_000 }),
      makeOffer("sooner"),
    ];
    const state = activeState({ profile: makeProfile({ mode: "secure" }) });
    const read = step(state, polled(later, sooner), ctx(NOON));
    expect(kinds(read.effects)).toEqual(["log", "read_blocks"]);
    const take = step(
      read.state,
      { kind: "blocks_read", outcome: { kind: "blocks", blocks: [] } },
      ctx(NOON + 40),
    );
    expect(accepted(take.effects)).toEqual(["sooner"]);
    const won = answer(take, { kind: "won", block: makeBlock(sooner) });
    expect(kinds(won.effects)).toEqual(["log", "notify", "read_blocks"]);
    const hand = makeBlock(makeOffer("hand", { startsAt: NOON + 10 * HOUR_MS }));
    const seen = step(
      won.state,
      { kind: "blocks_read", outcome: { kind: "blocks", blocks: [makeBlock(sooner), hand] } },
      ctx(NOON + 200),
    );
    expect(accepted(seen.effects)).toEqual([]);
  });

  it.each(["masacre", "lucrative"] as const)("accepts up to four offers at once in %s mode", (mode) => {
    const offers = [0, 1, 2, 3, 4].map((n) =>
      makeOffer(`o${n}`, { startsAt: NOON + (3 + 3 * n) * HOUR_MS, payCents: 9000 - n }),
    );
    const start = step(activeState({ profile: makeProfile({ mode }) }), polled(...offers), ctx(NOON));
    expect(accepted(start.effects)).toEqual(["o0", "o1", "o2", "o3"]);
    expect(accepted(answer(start, { kind: "lost", reason: "offer_gone" }).effects)).toEqual(["o4"]);
  });

  it("does not try an offer again until its pay or the filters change", () => {
    const start = step(activeState(), polled(makeOffer("a")), ctx(NOON));
    const lost = answer(start, { kind: "lost", reason: "offer_gone" });
    expect(accepted(step(lost.state, polled(makeOffer("a")), ctx(NOON + 3000)).effects)).toEqual([]);
    expect(accepted(step(lost.state, UNCHANGED, ctx(NOON + 3000)).effects)).toEqual([]);
    expect(
      accepted(step(lost.state, polled(makeOffer("a", { payCents: 9100 })), ctx(NOON + 3000)).effects),
    ).toEqual(["a"]);
    const saved = step(
      lost.state,
      { kind: "profile_changed", profile: makeProfile({ revision: 2, filtersVersion: 2 }) },
      ctx(NOON + 3000),
    );
    expect(accepted(step(saved.state, polled(makeOffer("a")), ctx(NOON + 3000)).effects)).toEqual(["a"]);
  });

  it("ignores a profile whose revision is not higher", () => {
    const state = activeState({ profile: makeProfile({ revision: 5 }) });
    const old = step(
      state,
      { kind: "profile_changed", profile: makeProfile({ revision: 5, switchedOn: false }) },
      ctx(NOON),
    );
    expect(old.state).toBe(state);
  });
});

describe("a refused accept", () => {
  it.each([
    ["rate_limited", { kind: "rate_limited", retryAt: NOON + 9000 }, "throttled"],
    ["signed_out", { kind: "signed_out" }, "needs_link"],
    [
      "verification_required",
      { kind: "verification_required", url: "https://p.test/selfie" },
      "verification_required",
    ],
    ["refused", { kind: "refused", status: 418 }, "polling"],
  ] as const)("by %s is lost, and the phase shows why", (reason, outcome, phase) => {
    const ended = answer(step(activeState(), polled(makeOffer("a")), ctx(NOON)), outcome);
    expect(logged(ended.effects)).toContainEqual(
      expect.objectContaining({
        kind: "attempt_settled",
        attempt: expect.objectContaining({ outcome: { status: "lost", reason } }),
      }),
    );
    expect(ended.state.phase.kind).toBe(phase);
  });
});

it("drops a block that was given back and accepts another offer that overlapped it", () => {
  const offer = makeOffer("a");
  const held = makeBlock(makeOffer("b", { startsAt: offer.startsAt + HOUR_MS }));
  const { state } = step(activeState({ held: [held] }), polled(offer), ctx(NOON));
  expect(state.verdicts.get(idOf.offer("a"))?.reasons.map(({ code }) => code)).toEqual(["overlaps_block"]);
  const read = step(
    state,
    { kind: "blocks_read", outcome: { kind: "blocks", blocks: [] } },
    ctx(NOON + 1000),
  );
  expect(accepted(read.effects)).toEqual(["a"]);
});
