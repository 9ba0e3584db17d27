import { describe, expect, it } from "vitest";
import { MODES } from "../../../db/shapes/work/filters.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { accepted, at, kinds, makeBlock, makeOffer, NOON } from "../fixtures.ts";
import {
  EARLY,
  judged,
  LATE,
  LOS_ANGELES,
  offerAt,
  profileWithin,
  THURSDAY,
  within,
} from "./limited-driver.ts";
import { byId, makeAttempt } from "../parts.ts";
import { SimulatedPlatform, runSimulation } from "../simulate.ts";
import { after, answer, attempts, listed, polled } from "../steps.ts";

describe("two offers in one poll, where one block a day is wanted", () => {
  const CHOICES = { lucrative: "late", secure: "early", masacre: "late" };

  it.each(MODES)("give one accept, however long its answer takes (%s)", (mode) => {
    const listedOffers = [EARLY, LATE].map((offer) => ({ offer, from: NOON, to: offer.expiresAt }));
    const platform = new SimulatedPlatform({ listedOffers });
    const state = within({}, { profile: profileWithin({ blocksPerDay: 1 }, { mode }) });
    const until = NOON + 10 * MINUTE_MS;
    runSimulation(state, {
      platform,
      from: NOON,
      until,
      callMs: (call) => (call === "accept" ? 60_000 : 40),
    });
    expect(platform.accepts.map(({ attempt }) => attempt.offer.offerId)).toEqual([CHOICES[mode]]);
  });

  it("are tried one after the other as long as none is won", () => {
    const first = after(within({ blocksPerDay: 1 }), polled(EARLY, LATE));
    expect([accepted(first.effects), judged(first)]).toEqual([["late"], { early: [], late: [] }]);
    const second = answer(first, { kind: "lost", reason: "offer_gone" });
    expect(accepted(second.effects)).toEqual(["early"]);
    const won = answer(second, { kind: "won", block: makeBlock(EARLY) }, NOON + 200);
    const next = after(won.state, polled(makeOffer("new", { startsAt: LATE.startsAt })), NOON + 3000);
    expect([accepted(next.effects), judged(next)]).toEqual([[], { new: ["day_limit"] }]);
  });

  it("give one accept each where they are of two days", () => {
    const { effects } = after(within({ blocksPerDay: 1 }), polled(LATE, THURSDAY));
    expect(accepted(effects)).toEqual(["late", "thursday"]);
  });
});

describe("a held block", () => {
  const held = makeBlock(EARLY);

  it.each([
    ["is no longer listed", []],
    ["is listed as forfeited", [makeBlock(EARLY, { status: "forfeited" })]],
  ])("frees a limit where it %s", (_how, blocks) => {
    for (const limits of [{ blocksPerDay: 1 }, { minutesPerWeek: 180 }, { weekGoalCents: 9000 }]) {
      const full = after(within(limits, { held: [held] }), polled(LATE));
      expect(accepted(full.effects)).toEqual([]);
      expect(accepted(after(full.state, listed(...blocks), NOON + 100).effects)).toEqual(["late"]);
    }
  });

  it("counts on the day to which the platform moves it", () => {
    const full = after(within({ blocksPerDay: 1 }, { held: [held] }), polled(LATE, THURSDAY));
    expect([accepted(full.effects), judged(full)]).toEqual([
      ["thursday"],
      { late: ["day_limit"], thursday: [] },
    ]);
    const lost = answer(full, { kind: "lost", reason: "offer_gone" });
    const startsAt = at("2026-06-11T18:00:00-04:00");
    const moved = after(
      lost.state,
      listed({ ...held, startsAt, endsAt: startsAt + 3 * HOUR_MS }),
      NOON + 200,
    );
    expect(accepted(moved.effects)).toEqual(["late"]);
    const next = after(moved.state, polled(LATE, { ...THURSDAY, payCents: 9500 }), NOON + 3000);
    expect([accepted(next.effects), judged(next)]).toEqual([[], { thursday: ["day_limit"] }]);
  });

  it("that was read in part counts its hours, and pays nothing", () => {
    const inPart = { ...held, blockId: null, offerId: null, payCents: null };
    const read = after(within({ minutesPerDay: 359, weekGoalCents: 1 }), {
      kind: "blocks_read",
      outcome: { kind: "blocks", blocks: [inPart] },
    });
    expect(judged(after(read.state, polled(LATE), NOON + 100))).toEqual({ late: ["day_limit"] });
  });
});

it("takes a block in each of two zones around midnight, one for each one's own day", () => {
  const newYork = offerAt("new-york", "2026-06-11T00:30:00-04:00");
  const sameNight = offerAt("same-night", "2026-06-10T22:00:00-07:00", { warehouseId: LOS_ANGELES });
  const state = within({ blocksPerDay: 1 });
  expect(accepted(after(state, polled(newYork, sameNight)).effects)).toHaveLength(1);
  const apart = offerAt("apart", "2026-06-10T20:00:00-07:00", {
    warehouseId: LOS_ANGELES,
    endsAt: newYork.startsAt,
  });
  const nextDay = offerAt("next-day", "2026-06-11T06:00:00-07:00", { warehouseId: LOS_ANGELES });
  const held = [makeBlock(newYork)];
  const result = after({ ...state, held }, polled(apart, nextDay));
  expect([accepted(result.effects), judged(result)]).toEqual([
    ["apart"],
    { apart: [], "next-day": ["day_limit"] },
  ]);
});

describe("a goal", () => {
  it("is reached by no more offers of one poll than it takes", () => {
    const { effects } = after(within({ weekGoalCents: 9500 }), polled(EARLY, LATE));
    expect(accepted(effects)).toEqual(["late"]);
    expect(accepted(after(within({ weekGoalCents: 10_001 }), polled(EARLY, LATE)).effects)).toEqual([
      "late",
      "early",
    ]);
  });

  it("is open again once the block that reached it is forfeited", () => {
    const state = within({ weekGoalCents: 9000 });
    const won = answer(after(state, polled(EARLY)), { kind: "won", block: makeBlock(EARLY) });
    const reached = after(won.state, polled(LATE), NOON + 3000);
    expect([accepted(reached.effects), judged(reached)]).toEqual([[], { late: ["goal_reached"] }]);
    const forfeited = listed(makeBlock(EARLY, { status: "forfeited" }));
    expect(accepted(after(reached.state, forfeited, NOON + 4000).effects)).toEqual(["late"]);
  });
});

describe("an attempt without an answer", () => {
  it("counts until it is known to have had no effect", () => {
    const first = after(within({ blocksPerDay: 1 }), polled(EARLY));
    const unknown = answer(first, { kind: "timeout" });
    expect(accepted(unknown.effects)).toEqual(["early"]);
    const twice = answer(unknown, { kind: "timeout" }, NOON + 200);
    const full = after(twice.state, polled(EARLY, LATE), NOON + 300);
    expect([accepted(full.effects), judged(full)]).toEqual([[], { late: ["day_limit"] }]);
    const [attempt] = attempts(first);
    if (!attempt) throw new Error("no attempt was started");
    const lost = after(
      full.state,
      { kind: "accepted", attemptId: attempt.attemptId, outcome: { kind: "lost", reason: "offer_gone" } },
      NOON + 400,
    );
    expect(accepted(lost.effects)).toEqual(["late"]);
  });

  it("counts also where it was refused in a way that may hide a block", () => {
    const lost = { outcome: { status: "lost" as const, reason: "refused" as const }, endedAt: NOON };
    const doubtedAttempts = byId(makeAttempt("1", EARLY, lost));
    const full = after(within({ blocksPerDay: 1 }, { doubtedAttempts }), polled(LATE));
    expect([accepted(full.effects), judged(full)]).toEqual([[], { late: ["day_limit"] }]);
  });

  it("counts once beside its block", () => {
    const attempt = makeAttempt("1", EARLY, { outcome: { status: "unknown", tries: 1, triedAt: NOON } });
    const fields = { held: [makeBlock(EARLY)], openAttempts: byId(attempt) };
    expect(accepted(after(within({ blocksPerDay: 2 }, fields), polled(LATE)).effects)).toEqual(["late"]);
  });

  it("is not repeated beyond a limit that is saved since", () => {
    const unknown = answer(after(within({}, { held: [makeBlock(LATE)] }), polled(EARLY)), {
      kind: "timeout",
    });
    const twice = answer(unknown, { kind: "timeout" }, NOON + 200);
    const profile = profileWithin({ blocksPerDay: 1 }, { revision: 2, filtersVersion: 2 });
    const saved = after(twice.state, { kind: "profile_changed", profile }, NOON + 300);
    const late = NOON + 5 * MINUTE_MS;
    const woken = after(saved.state, { kind: "woke" }, late);
    expect(kinds(woken.effects)).toContain("read_blocks");
    const read = after(woken.state, listed(makeBlock(LATE)), late + 100);
    expect([accepted(read.effects), read.state.openAttempts.size]).toEqual([[], 0]);
  });
});
