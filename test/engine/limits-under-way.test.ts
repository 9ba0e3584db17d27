import { describe, expect, it } from "vitest";
import { MODES, NO_LIMITS, type Limits } from "../../db/shapes/work/filters.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import type { Offer } from "../../db/shapes/work/offer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { maySendAccept } from "../../durable/engine/phase.ts";
import type { DriverState, StepResult, TransientState } from "../../durable/engine/types.ts";
import {
  accepted,
  at,
  idOf,
  kinds,
  logged,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
} from "./fixtures.ts";
import { byId, makeAttempt, transientState } from "./parts.ts";
import { SimulatedPlatform, runSimulation } from "./simulate.ts";
import { after, answer, attempts, listed, polled } from "./steps.ts";

const DENVER = idOf.warehouse("DDV1");
const LOS_ANGELES = idOf.warehouse("DLA5");

/** Filters that want everything at three warehouses, within limits. */
function profileWithin(limits: Partial<Limits>, fields: Partial<Profile> = {}): Profile {
  const warehouses = [
    makeWarehouseFilter(),
    ...[DENVER, LOS_ANGELES].map((warehouseId) => makeWarehouseFilter({ warehouseId })),
  ];
  return makeProfile({
    filters: makeFilters({ limits: { ...NO_LIMITS, ...limits }, warehouses }),
    ...fields,
  });
}

const READ_FROM = NOON - 30 * DAY_MS;

/** A driver of such limits whose blocks were all read at noon. */
function within(
  limits: Partial<Limits>,
  fields: Partial<DriverState> = {},
  transient: Partial<TransientState> = {},
): DriverState {
  return transientState(
    { heldReadFrom: READ_FROM, heldAskedFrom: READ_FROM, ...transient },
    {
      profile: profileWithin(limits),
      warehouses: [
        makeWarehouse(),
        makeWarehouse({ warehouseId: DENVER, timeZone: "America/Denver" }),
        makeWarehouse({ warehouseId: LOS_ANGELES, timeZone: "America/Los_Angeles" }),
      ],
      ...fields,
    },
  );
}

const offerAt = (name: string, startsAt: string, fields: Partial<Offer> = {}) =>
  makeOffer(name, { startsAt: at(startsAt), ...fields });
/** Both on the Wednesday, with an hour between them. */
const EARLY = offerAt("early", "2026-06-10T15:00:00-04:00");
const LATE = offerAt("late", "2026-06-10T19:00:00-04:00", { payCents: 10_000 });
const THURSDAY = offerAt("thursday", "2026-06-11T11:00:00-04:00");

/** The codes against the offers that were judged, by their ids. */
const judged = ({ effects }: StepResult) =>
  Object.fromEntries(
    logged(effects).flatMap((event) =>
      event.kind === "offer_judged" ? [[event.offer.offerId, event.reasons.map(({ code }) => code)]] : [],
    ),
  );

describe("two offers in one poll, where one block a day is wanted", () => {
  const CHOICES = { lucrative: "late", secure: "early", masacre: "late" };

  it.each(MODES)("give one accept, however long its answer takes (%s)", (mode) => {
    const listedOffers = [EARLY, LATE].map((offer) => ({ offer, from: NOON, to: offer.expiresAt }));
    const platform = new SimulatedPlatform({ listedOffers });
    const state = within({}, { profile: profileWithin({ blocksPerDay: 1 }, { mode }) });
    const until = NOON + 30 * MINUTE_MS;
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

describe("a limit that is saved while an accept is under way", () => {
  /** Beside a held block from 15:00 to 18:00 for $90, an attempt at one from 19:00 to 22:00 elsewhere. */
  const SAVED: [limits: Partial<Limits>, maySend: boolean][] = [
    [{ blocksPerDay: 1 }, false],
    [{ blocksPerDay: 2 }, true],
    [{ minutesPerDay: 359 }, false],
    [{ minutesPerDay: 360 }, true],
    [{ minutesPerWeek: 359 }, false],
    [{ minutesPerWeek: 360 }, true],
    [{ weekGoalCents: 9000 }, false],
    [{ weekGoalCents: 9001 }, true],
    [{ restMinutes: 61 }, false],
    [{ restMinutes: 60 }, true],
    [{ travelMinutes: 61 }, false],
    [{ travelMinutes: 60 }, true],
  ];
  const elsewhere = { ...LATE, warehouseId: DENVER };
  const save = (limits: Partial<Limits>) => ({
    kind: "profile_changed" as const,
    profile: profileWithin(limits, { revision: 2, filtersVersion: 2 }),
  });

  it.each(SAVED)("lets the accept leave only within it (%j: %s)", (limits, maySend) => {
    const attempt = makeAttempt("1", elsewhere);
    const state = within({}, { held: [makeBlock(EARLY)], openAttempts: byId(attempt) });
    expect(maySendAccept(state, attempt.attemptId, NOON)).toBe(true);
    const saved = after(state, save(limits)).state;
    expect(maySendAccept(saved, attempt.attemptId, NOON)).toBe(maySend);
  });

  it("lets none leave before the blocks of its whole week were read", () => {
    const attempt = makeAttempt("1", elsewhere);
    const day = { heldReadFrom: NOON - 2 * DAY_MS };
    const state = within({}, { openAttempts: byId(attempt) }, day);
    const may = (limits: Partial<Limits>) =>
      maySendAccept(after(state, save(limits)).state, attempt.attemptId, NOON);
    expect([may({ blocksPerDay: 9 }), may({ minutesPerWeek: 900 })]).toEqual([true, false]);
  });

  it("holds two accepts back that break it together, and lets one of them leave once the other is withdrawn", () => {
    const [one, two] = [makeAttempt("1", EARLY), makeAttempt("2", LATE)];
    const state = after(within({}, { openAttempts: byId(one, two) }), save({ blocksPerDay: 1 })).state;
    const may = (of: DriverState) => [one, two].map(({ attemptId }) => maySendAccept(of, attemptId, NOON));
    expect(may(state)).toEqual([false, false]);
    const withdrawn = after(state, {
      kind: "accepted",
      attemptId: one.attemptId,
      outcome: { kind: "withdrawn" },
    });
    expect(may(withdrawn.state)).toEqual([false, true]);
  });

  it("lets a withdrawn offer be tried again once the limit is raised", () => {
    const first = after(within({}, { held: [makeBlock(EARLY)] }), polled(LATE));
    const saved = { ...first, state: after(first.state, save({ blocksPerDay: 1 })).state };
    const withdrawn = answer(saved, { kind: "withdrawn" });
    expect(accepted(withdrawn.effects)).toEqual([]);
    const profile = profileWithin({ blocksPerDay: 2 }, { revision: 3, filtersVersion: 3 });
    const raised = after(withdrawn.state, { kind: "profile_changed", profile }, NOON + 200);
    expect(accepted(after(raised.state, polled(LATE), NOON + 3000).effects)).toEqual(["late"]);
  });

  it("has all blocks read that it counts, before anything is accepted", () => {
    const asked = after(
      within({ minutesPerWeek: 360 }, {}, { heldReadFrom: NOON - 2 * DAY_MS }),
      polled(LATE),
    );
    expect(asked.effects.filter(({ kind }) => kind !== "log")).toEqual([
      { kind: "read_blocks", from: NOON - 8 * DAY_MS, to: NOON + 30 * DAY_MS },
    ]);
    const monday = makeBlock(offerAt("monday", "2026-06-08T06:00:00-04:00"));
    const sunday = makeBlock(offerAt("sunday", "2026-06-07T20:00:00-04:00"));
    const fits = after(asked.state, listed(sunday, monday), NOON + 100);
    expect(accepted(fits.effects)).toEqual(["late"]);
    const tuesday = makeBlock(offerAt("tuesday", "2026-06-09T06:00:00-04:00"));
    const full = after(asked.state, listed(monday, tuesday), NOON + 100);
    expect([accepted(full.effects), judged(full)]).toEqual([[], { late: ["week_limit"] }]);
  });
});

it("reads the blocks once more where a limit was saved while they were being read", () => {
  const mode = { mode: "secure" as const };
  const state = within({}, { profile: profileWithin({}, mode) });
  const asked = after(state, polled(LATE));
  expect(kinds(asked.effects)).toContain("read_blocks");
  const profile = profileWithin({ minutesPerWeek: 900 }, { ...mode, revision: 2, filtersVersion: 2 });
  const saved = after(asked.state, { kind: "profile_changed", profile }, NOON + 50);
  const read = after(saved.state, listed(), NOON + 100);
  expect([accepted(read.effects), kinds(read.effects)]).toEqual([[], ["log", "read_blocks"]]);
  expect(accepted(after(read.state, listed(), NOON + 200).effects)).toEqual(["late"]);
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
