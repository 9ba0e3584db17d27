import { describe, expect, it } from "vitest";
import { NO_BACKOFF } from "../../durable/engine/state/cadence.ts";
import type { DriverState, MachineEvent } from "../../durable/engine/state/types.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import {
  activeState,
  idOf,
  kinds,
  makeBlock,
  makeFilters,
  makeOffer,
  makeProfile,
  makeWarehouseFilter,
  NOON,
  week,
} from "./fixtures.ts";
import { know } from "./quota/known-quota.ts";
import { byId, listed, makeAttempt, throttled, transientState } from "./parts.ts";
import { after, polled, wake } from "./steps.ts";

describe("the alarm", () => {
  it("brings the throttle down by a step for each clean hour", () => {
    const throttle = { step: 2, until: null, since: NOON - 3 * HOUR_MS, isNotified: false };
    expect(wake(transientState({}, { throttle })).state.throttle.step).toBe(0);
  });

  it("judges nothing anew while the platform may not be called", () => {
    const state = listed({ profile: makeProfile({ filtersVersion: 2 }), ...throttled(NOON + 1) });
    expect(wake(state).state.verdicts).toBe(state.verdicts);
    expect(wake({ ...state, ...throttled(NOON) }).state.verdicts).not.toBe(state.verdicts);
  });

  it("looks for no attempt in doubt while polls back off", () => {
    const outcome = { status: "unknown", tries: 1, triedAt: NOON - HOUR_MS } as const;
    const openAttempts = byId(makeAttempt("1", makeOffer("a"), { outcome }));
    const state = transientState({}, { openAttempts, backoff: { failures: 1, retryAt: NOON + 1 } });
    expect(kinds(wake(state).effects)).not.toContain("read_blocks");
    expect(kinds(wake({ ...state, backoff: NO_BACKOFF }).effects)).toContain("read_blocks");
  });
});

describe("a saved profile", () => {
  it("makes what was tried eligible again where its filters are others", () => {
    const triedOffers = new Set([idOf.offer("a")]);
    const state = transientState({ etag: "e1", triedOffers });
    const saved = (filtersVersion: number) =>
      after(state, { kind: "profile_changed", profile: makeProfile({ revision: 2, filtersVersion }) }).state
        .transient;
    expect(saved(1)).toMatchObject({ etag: "e1", triedOffers });
    expect(saved(2)).toMatchObject({ etag: null, triedOffers: new Set() });
  });
});

describe("another link", () => {
  const warehouses = transientState({}).warehouses;

  it("goes on with a wait, of which the driver hears again", () => {
    const throttle = { step: 1, until: NOON + MINUTE_MS, since: NOON, isNotified: true };
    const linked = (isNotified: boolean) =>
      after(transientState({}, { throttle: { ...throttle, isNotified } }), { kind: "linked", warehouses })
        .state;
    for (const state of [linked(true), linked(false)])
      expect(state).toMatchObject({
        throttle: { ...throttle, isNotified: false },
        link: { status: "linked" },
      });
  });

  it("is none where the driver unlinks", () => {
    const { state } = after(transientState({ etag: "e1" }), { kind: "unlinked" });
    expect(state).toMatchObject({ link: { status: "unlinked" }, warehouses: [] });
    expect(state.transient.etag).toBeNull();
  });

  it("has its blocks count as given back, save those that started, were given back or are known", () => {
    const block = (name: string, startsAt: number, status: "scheduled" | "forfeited" = "scheduled") =>
      makeBlock(makeOffer(name, { startsAt }), { status });
    const later = NOON + HOUR_MS;
    const held = [
      block("a", later),
      block("b", NOON),
      block("c", later, "forfeited"),
      block("d", later + HOUR_MS),
    ];
    const { offerId, blockId, warehouseId, startsAt, endsAt } = block("d", later + HOUR_MS);
    const known = { offerId, blockId, warehouseId, startsAt, endsAt, givenBackAt: NOON - 1, takeAgain: true };
    const left = (given: DriverState) => after(given, { kind: "unlinked" }).state.givenBack;
    const [, left_] = left(transientState({}, { held, givenBack: [known] }));
    expect(left(transientState({}, { held, givenBack: [known] }))).toEqual([
      known,
      { ...left_, blockId: held[0]?.blockId, givenBackAt: NOON, takeAgain: false },
    ]);
    const nothing = transientState({}, { held: [] });
    expect(left(nothing)).toBe(nothing.givenBack);
  });

  it("asks for all offers anew where the warehouses are others", () => {
    const state = transientState({ etag: "e1" });
    const other = { ...warehouses[0]!, name: "Another" };
    const opened = after(state, { kind: "warehouses_read", warehouses: [other], isComplete: true }).state;
    expect([opened.transient.etag, opened.warehouses]).toEqual([null, [other]]);
  });
});

describe("a poll under way while the warehouses are read", () => {
  it("does not name the listing of those that the next one asks for", () => {
    const [warehouse] = activeState().warehouses;
    const opened = { ...warehouse!, warehouseId: idOf.warehouse("DBK4") };
    const filters = makeFilters({
      warehouses: [makeWarehouseFilter(), makeWarehouseFilter({ warehouseId: opened.warehouseId })],
    });
    const sent = after(activeState({ profile: makeProfile({ filters }) }), { kind: "woke" }).state;
    const warehouses = [warehouse!, opened];
    const read = after(sent, { kind: "warehouses_read", warehouses, isComplete: true }, NOON + 10).state;
    const answered = after(read, polled(), NOON + 20).state;
    const [poll] = after(answered, { kind: "woke" }, NOON + 5_000).effects.filter(
      ({ kind }) => kind === "poll",
    );
    expect(poll).toMatchObject({ warehouseIds: ["DNY4", "DBK4"], etag: null });
  });
});

describe("a phase", () => {
  const notified = (state: DriverState, event: MachineEvent = { kind: "woke" }) =>
    after(state, event).effects.flatMap((one) => (one.kind === "notify" ? one.notifications : []));
  const selfie = { kind: "verification_required", url: "https://p.test/1" } as const;

  it("that asks for a verification is notified once, whichever page it is done on", () => {
    const asked = { verification: { url: "https://p.test/2", since: NOON } };
    expect(notified(transientState({}, asked))).toEqual([{ kind: "verification_required" }]);
    expect(notified(transientState({}, { ...asked, phase: selfie }))).toEqual([]);
  });

  it("without a link is notified to drivers whom the platform signed out while they were on", () => {
    const off = { kind: "off" } as const;
    const at = (fields: Partial<DriverState>) => notified(transientState({}, { phase: off, ...fields }));
    expect(at({ link: { status: "signed_out" } })).toEqual([{ kind: "needs_link" }]);
    expect(at({ link: { status: "unlinked" } })).toEqual([]);
    const switchedOff = {
      profile: makeProfile({ switchedOn: false }),
      link: { status: "signed_out" },
    } as const;
    expect(at({ ...switchedOff, phase: { kind: "needs_link" } })).toEqual([]);
  });

  it("after the one in which polls are sent has them stored, if their quota is known", () => {
    const quota = know({ remaining: 59 });
    const from = (phase: DriverState["phase"]) =>
      wake(transientState({ quota, polls: [NOON] }, { phase, ...throttled(NOON + 1) })).state.quotaMemory;
    expect(from({ kind: "polling" })).toEqual({ learned: quota, polls: [NOON] });
    expect(from({ kind: "off" })).toBeNull();
  });

  it("of a wait of over an hour is notified once, until polls are answered again", () => {
    const until = NOON + HOUR_MS + 1;
    const told = { throttle: { step: 0, until: null, since: null, isNotified: true } };
    expect(notified(transientState({}, { quotaWaitUntil: until }))).toEqual([{ kind: "long_wait", until }]);
    expect(notified(transientState({}, throttled(until)))).toEqual([{ kind: "long_wait", until }]);
    expect(notified(transientState({}, { quotaWaitUntil: until, ...told }))).toEqual([]);
    const isNotified = (fields: Partial<DriverState>) =>
      wake(transientState({}, fields)).state.throttle.isNotified;
    const before = { phase: { kind: "off" } } as const;
    expect(isNotified({ ...told, ...before })).toBe(false);
    const past = { throttle: { ...told.throttle, until: NOON - 1 } };
    expect(isNotified({ ...past, ...before })).toBe(true);
    const closed = makeProfile({ filters: makeFilters({ schedule: week(0, 0, []) }) });
    expect(isNotified({ ...told, ...before, profile: closed })).toBe(true);
  });
});

describe("a call that isn't the engine's own", () => {
  it("may state a wait for all calls", () => {
    const { state } = after(transientState({}), { kind: "wait_stated", retryAt: NOON + 5_000 });
    expect([state.throttle.until, state.phase.kind]).toEqual([NOON + 5_000, "throttled"]);
  });
});
