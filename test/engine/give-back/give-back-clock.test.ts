import { describe, expect, it } from "vitest";
import { nextWakeAt } from "../../../durable/engine/next-wake.ts";
import { step } from "../../../durable/engine/machine.ts";
import { recover } from "../../../durable/engine/initial-state.ts";
import { otherOffersAt } from "../../../durable/engine/give-back.ts";
import type {
  DriverState,
  Effect,
  EngineSettings,
  MachineEvent,
} from "../../../durable/engine/state/types.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import {
  activeState,
  at,
  BETHPAGE,
  ctx,
  idOf,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouse,
  makeWarehouseFilter,
  NOON,
  SETTINGS,
} from "../fixtures.ts";
import { throttled } from "../parts.ts";
import { after, listed, polled, UNCHANGED } from "../steps.ts";

const BLOCK = makeBlock(makeOffer("a"));
const { startsAt } = BLOCK;
const [AT_90, AT_60, LAST] = [90, 60, 45].map((minutes) => startsAt - minutes * MINUTE_MS) as [
  EpochMs,
  EpochMs,
  EpochMs,
];

/** A driver who is off: nothing but the clock wakes the object. */
const resting = (...held: Block[]) =>
  activeState({ profile: makeProfile({ switchedOn: false }), held, phase: { kind: "off" } });

function remindersIn(effects: readonly Effect[]) {
  return effects
    .flatMap((effect) => (effect.kind === "notify" ? effect.notifications : []))
    .flatMap((one) => (one.kind === "give_back_ahead" ? [one] : []));
}

/** Wakes the object whenever it asks to be woken, and answers each read of the blocks with what is held then. */
function live(
  start: DriverState,
  {
    from,
    to,
    blocks = () => start.held,
    settings = SETTINGS,
  }: { from: EpochMs; to: EpochMs; blocks?: (now: EpochMs) => readonly Block[]; settings?: EngineSettings },
) {
  let state = start;
  let now = from;
  const told: string[] = [];
  const apply = (event: MachineEvent) => {
    const result = step(state, event, ctx(now, 0.5, settings));
    state = result.state;
    for (const { reminder, until } of remindersIn(result.effects))
      told.push(`${reminder} at ${(now - startsAt) / MINUTE_MS} until ${(until - startsAt) / MINUTE_MS}`);
    for (const { kind } of result.effects)
      if (kind === "read_blocks")
        apply({ kind: "blocks_read", outcome: { kind: "blocks", blocks: blocks(now) } });
  };
  for (let wakes = 0; wakes < 20; wakes += 1) {
    const next = nextWakeAt(state, ctx(now, 0.5, settings));
    if (next === null || next > to) return { state, told };
    now = Math.max(now, next);
    apply({ kind: "woke" });
  }
  throw new Error("the object wakes without end");
}

describe("a block that is held", () => {
  it("is told of 90 and 60 minutes before its start, each once, with the last minute", () => {
    expect(live(resting(BLOCK), { from: NOON, to: startsAt }).told).toEqual([
      "give_back_90 at -90 until -45",
      "give_back_60 at -60 until -45",
    ]);
  });

  it.each<[string, Partial<Block>]>([
    ["given back", { status: "forfeited" }],
    ["checked in to", { status: "checked_in" }],
    ["of a status that we don't know", { status: "other" }],
  ])("is not told of once it is %s, also where that is learned only then", (_case, change) => {
    const changed = { ...BLOCK, ...change };
    expect(live(resting(BLOCK), { from: NOON, to: startsAt, blocks: () => [changed] }).told).toEqual([]);
  });

  it("is not told of once the platform no longer lists it", () => {
    expect(live(resting(BLOCK), { from: NOON, to: startsAt, blocks: () => [] }).told).toEqual([]);
  });

  it("is told of anew at the times of the start that it is moved to", () => {
    const moved = { ...BLOCK, startsAt: startsAt + 2 * HOUR_MS, endsAt: BLOCK.endsAt + 2 * HOUR_MS };
    const blocks = (now: EpochMs) => [now < AT_60 ? BLOCK : moved];
    expect(live(resting(BLOCK), { from: NOON, to: moved.startsAt, blocks }).told).toEqual([
      "give_back_90 at -90 until -45",
      "give_back_90 at 30 until 75",
      "give_back_60 at 60 until 75",
    ]);
  });

  it("is told of by the latest of two reminders that are due at once, after a silence of ours", () => {
    const late = { from: AT_60 + MINUTE_MS, to: startsAt };
    expect(live(resting(BLOCK), late).told).toEqual(["give_back_60 at -59 until -45"]);
  });

  it.each([
    ["in its last minute", LAST, ["give_back_60 at -45 until -45"]],
    ["a millisecond after that", LAST + 1, []],
  ])("is told of %s: %s", (_case, from, told) => {
    expect(live(resting(BLOCK), { from, to: startsAt }).told).toEqual(told);
  });

  it.each([
    ["too late for the first", AT_90, ["give_back_60 at -60 until -45"]],
    ["too late for both", AT_60, []],
  ])("gives no reminder that was due before it was taken: %s", (_case, acceptedAt, told) => {
    const taken = { ...BLOCK, acceptedAt };
    expect(live(resting(taken), { from: acceptedAt, to: startsAt }).told).toEqual(told);
  });

  it.each([
    ["an hour", 60, ["give_back_90 at -90 until -60"]],
    ["two hours", 120, []],
    ["nothing", 0, ["give_back_90 at -90 until 0", "give_back_60 at -60 until 0"]],
  ])("follows the platform's last minute: %s before the start", (_case, minutes, told) => {
    const settings = { ...SETTINGS, giveBackMs: minutes * MINUTE_MS };
    expect(live(resting(BLOCK), { from: NOON, to: startsAt, settings }).told).toEqual(told);
  });

  it("is told of once where the clock is set back or the object begins anew", () => {
    const first = live(resting(BLOCK), { from: NOON, to: AT_90 });
    const stored: DriverState = { ...first.state, transient: resting().transient };
    expect(first.told).toHaveLength(1);
    expect(live(recover(stored), { from: AT_90 - HOUR_MS, to: AT_60 - 1 }).told).toEqual([]);
  });

  it("is told of at the same distance where the clocks change in between", () => {
    // 1:30 comes twice in that night, and 2:30 once: 90 minutes before it is the second 1:00.
    const night = at("2026-11-01T02:30:00-05:00");
    const block = { ...BLOCK, startsAt: night, endsAt: night + 3 * HOUR_MS };
    const { told } = live(resting(block), { from: night - DAY_MS, to: night });
    expect(told).toHaveLength(2);
    expect(nextWakeAt(resting(block), ctx(night - DAY_MS))).toBe(at("2026-11-01T01:00:00-05:00"));
  });

  it("forgets its reminders once it has begun", () => {
    const { state } = live(resting(BLOCK), { from: NOON, to: startsAt });
    const later = makeBlock(makeOffer("b", { startsAt: startsAt + DAY_MS }));
    const next = live({ ...state, held: [BLOCK, later] }, { from: startsAt, to: later.startsAt - HOUR_MS });
    expect(next.state.giveBackReminded.map(({ blockId }) => blockId)).toEqual([later.blockId, later.blockId]);
  });
});

describe("before a reminder the blocks", () => {
  const woken = (state: DriverState) => after(state, { kind: "woke" }, AT_90);

  it("are read where that was a while ago, once, and their answer decides", () => {
    const { state, effects } = woken(resting(BLOCK));
    expect([effects.map(({ kind }) => kind), remindersIn(effects)]).toEqual([["read_blocks"], []]);
    expect(nextWakeAt(state, ctx(AT_90)) ?? 0).toBeGreaterThan(AT_90);
    expect(woken(state).effects).toEqual([]);
    expect(remindersIn(after(state, listed(BLOCK), AT_90 + 100).effects)).toHaveLength(1);
  });

  it("are those that are known where the platform can't be asked", () => {
    expect(remindersIn(woken({ ...resting(BLOCK), ...throttled(AT_90 + HOUR_MS) }).effects)).toHaveLength(1);
    const asked = woken(resting(BLOCK)).state;
    const failed = after(asked, { kind: "blocks_read", outcome: { kind: "timeout" } }, AT_90 + 100);
    expect(remindersIn(failed.effects)).toHaveLength(1);
  });

  it("are not read again where a poll's idle time has just read them", () => {
    const state = resting(BLOCK);
    const fresh = { ...state, transient: { ...state.transient, heldFetchedAt: AT_90 - 20_000 } };
    expect(woken(fresh).effects.map(({ kind }) => kind)).toEqual(["notify"]);
  });
});

it("an idle poll with a block ahead stores nothing for its reminders", () => {
  const { state } = after(activeState({ held: [BLOCK] }), polled());
  expect(after(state, UNCHANGED, NOON + 1000).state.giveBackReminded).toBe(state.giveBackReminded);
});

describe("the other offers at the time of a block", () => {
  const clock = (now: EpochMs) => ({ now, settings: SETTINGS });
  const polledAt = (held: Block[], ...names: [string, Parameters<typeof makeOffer>[1]][]) =>
    after(
      activeState({
        held,
        warehouses: [makeWarehouse(), makeWarehouse({ warehouseId: idOf.warehouse("DNY9") })],
        profile: makeProfile({
          filters: makeFilters({
            warehouses: [makeWarehouseFilter({ minPriceCents: 5000 })],
          }),
        }),
      }),
      polled(...names.map(([name, fields]) => makeOffer(name, fields))),
    ).state;
  const found = (state: DriverState, now = NOON) =>
    otherOffersAt(state, BLOCK, clock(now))?.map(({ offerId }) => offerId) ?? null;

  it("are listed now, overlap it and pass the filters, the best pay first", () => {
    const state = polledAt(
      [BLOCK],
      ["less", { payCents: 6000, startsAt: startsAt + HOUR_MS }],
      ["more", { payCents: 12_000 }],
      ["too-little", { payCents: 4999 }],
      ["not-selected", { warehouseId: idOf.warehouse("DNY9") }],
      ["after-it", { startsAt: BLOCK.endsAt }],
      ["a", {}],
    );
    expect(state.warehouses[0]?.warehouseId).toBe(BETHPAGE);
    expect(found(state)).toEqual(["more", "less"]);
  });

  it("leave out those that overlap another block as well", () => {
    const next = makeBlock(makeOffer("next", { startsAt: BLOCK.endsAt }));
    expect(found(polledAt([BLOCK, next], ["long", { startsAt: startsAt + HOUR_MS }], ["same", {}]))).toEqual([
      "same",
    ]);
  });

  it("leave out those that nothing takes: told of alone, or passed on", () => {
    const maspeth = makeWarehouse({ warehouseId: idOf.warehouse("DNY9") });
    const offers = [makeOffer("told"), makeOffer("asked", { warehouseId: maspeth.warehouseId })];
    const start = activeState({
      warehouses: [makeWarehouse(), maspeth],
      profile: makeProfile({
        filters: makeFilters({
          warehouses: [
            makeWarehouseFilter({ action: "tell" }),
            makeWarehouseFilter({ action: "ask", warehouseId: maspeth.warehouseId }),
          ],
        }),
      }),
    });
    const asked = after(start, polled(...offers)).state;
    const [question] = asked.questions;
    if (!question) throw new Error("nothing was asked");
    const { questionId } = question;
    const answered = { kind: "question_answered", questionId, answer: "pass" } as const;
    const passed = after(asked, answered, NOON + 1000).state;
    expect([asked, passed].map((state) => found({ ...state, held: [BLOCK] }, NOON + 2000))).toEqual([
      ["asked"],
      [],
    ]);
  });

  it("are unknown while no listing is recent", () => {
    const state = polledAt([BLOCK], ["same", {}]);
    expect([found(state, NOON + 5 * MINUTE_MS), found(state, NOON + 5 * MINUTE_MS + 1)]).toEqual([
      ["same"],
      null,
    ]);
    expect(found(activeState({ held: [BLOCK] }))).toBeNull();
  });

  it("are counted in the reminder", () => {
    const state = polledAt([BLOCK], ["same", {}]);
    const due = {
      ...state,
      transient: { ...state.transient, heldFetchedAt: AT_90, lastPollAnsweredAt: AT_90 },
    };
    const [told] = remindersIn(after(due, UNCHANGED, AT_90).effects);
    expect(told?.others).toBe(1);
  });
});
