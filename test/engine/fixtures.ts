import * as z from "zod/mini";
import type { LogEvent } from "../../db/shapes/log/driver-log.ts";
import type { ListingChange } from "../../db/shapes/log/listing.ts";
import { minutesToDurations, type Durations } from "../../db/shapes/work/durations.ts";
import {
  type ExtraRule,
  type Filters,
  type WarehouseFilter,
  type WeekSchedule,
} from "../../db/shapes/work/filters.ts";
import type { Block, Offer, Warehouse } from "../../db/shapes/work/offer.ts";
import type { Profile } from "../../db/shapes/profile.ts";
import { HOUR_MS, MINUTE_MS, blockId, offerId, warehouseId, type EpochMs } from "../../db/shapes/units.ts";
import type { CompiledFilters } from "../../durable/engine/verdicts/compiled-filters.ts";
import { compileFilters } from "../../durable/engine/verdicts/compiled-filters.ts";
import { initialState } from "../../durable/engine/initial-state.ts";
import type { ReplaySettings } from "../../durable/engine/replay/replay.ts";
import type { MatchContext } from "../../durable/engine/verdicts/match.ts";
import { judgeOffer } from "../../durable/engine/verdicts/match.ts";
import type { Reason } from "../../db/shapes/work/verdict.ts";
import type { DriverState, Effect, EngineSettings, StepContext } from "../../durable/engine/state/types.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";

/** An offer and the time during which the platform lists it: [from, to). */
export type ListedOffer = { offer: Offer; from: EpochMs; to: EpochMs };

/** Parses RFC 3339. */
export function at(text: string): EpochMs {
  return Date.parse(text);
}

/** Noon on a Wednesday in New York. */
export const NOON = at("2026-06-10T12:00:00-04:00");

export const SETTINGS: EngineSettings = {
  pollFloorMs: 1000,
  offerHorizonMs: 24 * HOUR_MS,
  giveBackMs: 45 * MINUTE_MS,
  currency: "USD",
};

export function ctx(now: EpochMs, roll = 0.5, settings: EngineSettings = SETTINGS): StepContext {
  return { now, roll, settings };
}

/** Nothing is held and nothing was given back. */
export function matchContext(filters: CompiledFilters, now: EpochMs): MatchContext {
  return { filters, now, busy: [], currency: SETTINGS.currency, givenBack: [] };
}

export const idOf = {
  offer: (name: string) => z.parse(offerId, name),
  block: (name: string) => z.parse(blockId, name),
  warehouse: (name: string) => z.parse(warehouseId, name),
};

export const BETHPAGE = idOf.warehouse("DNY4");

export function makeWarehouse(fields: Partial<Warehouse> = {}): Warehouse {
  return {
    warehouseId: BETHPAGE,
    name: "Bethpage (DNY4)",
    address: null,
    serviceType: "parcel",
    timeZone: "America/New_York",
    latitude: 40.7,
    longitude: -73.5,
    geofenceMeters: 150,
    ...fields,
  };
}

/** Zones with and without clock changes, in both hemispheres, and with offsets of no whole hour. */
export const ZONES = [
  "America/New_York",
  "America/Los_Angeles",
  "America/Phoenix",
  "America/Sao_Paulo",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
];

/** A warehouse in each of them, W0 and so on. */
export const WAREHOUSES_ABROAD = ZONES.map((timeZone, index) =>
  makeWarehouse({ warehouseId: idOf.warehouse(`W${index}`), timeZone }),
);

/** Starts three hours from `NOON` and lasts three hours, for $90. */
export function makeOffer(name: string, fields: Partial<Offer> = {}): Offer {
  const startsAt = fields.startsAt ?? NOON + 3 * HOUR_MS;
  return {
    offerId: idOf.offer(name),
    warehouseId: BETHPAGE,
    serviceType: "parcel",
    startsAt,
    endsAt: startsAt + 3 * HOUR_MS,
    payCents: 9000,
    currency: "USD",
    surge: false,
    expiresAt: startsAt - 15 * MINUTE_MS,
    ...fields,
  };
}

export function makeBlock(offer: Offer, fields: Partial<Block> = {}): Block {
  const { warehouseId, serviceType, startsAt, endsAt, payCents, currency } = offer;
  return {
    blockId: idOf.block(`block-${offer.offerId}`),
    offerId: offer.offerId,
    warehouseId,
    serviceType,
    startsAt,
    endsAt,
    payCents,
    currency,
    status: "scheduled",
    acceptedAt: NOON - HOUR_MS,
    checkedInAt: null,
    ...fields,
  };
}

/** A poll of `NOON` that changed nothing. */
export function makeListingChange(fields: Partial<ListingChange> = {}): ListingChange {
  return { at: NOON, isAfterPause: false, seen: [], left: [], held: [], freed: [], ...fields };
}

/** Flags for these lengths, in minutes. */
export function durations(...minutes: number[]): Durations {
  return minutesToDurations(minutes);
}

export function makeWarehouseFilter(fields: Partial<WarehouseFilter> = {}): WarehouseFilter {
  return permissiveWarehouseFilter(BETHPAGE, { minPriceCents: 1, ...fields });
}

/** Wants what a warehouse's first rule wants, under another name. */
export function makeExtraRule(fields: Partial<ExtraRule> = {}): ExtraRule {
  const {
    warehouseId: _warehouseId,
    selected: _selected,
    extraRules: _extraRules,
    ...rule
  } = makeWarehouseFilter();
  return { ruleId: "k3f9", name: "Sundays", hours: null, ...rule, ...fields };
}

const HOURS = 60;

/** The same window, in minutes, on the given ISO weekdays; all others are off. */
export function week(
  start: number,
  end: number,
  days: readonly number[] = [1, 2, 3, 4, 5, 6, 7],
): WeekSchedule {
  const day = (weekday: number) => ({ active: days.includes(weekday), start, end });
  return [day(1), day(2), day(3), day(4), day(5), day(6), day(7)];
}

export const ALWAYS = week(0, 0);

/** "20:30" in minutes since midnight. */
export function clock(text: string): number {
  const [hours = 0, minutes = 0] = text.split(":").map(Number);
  return hours * HOURS + minutes;
}

export function makeFilters(fields: Partial<Filters> = {}): Filters {
  return permissiveFilters([makeWarehouseFilter()], fields);
}

/** The settings of a driver who works at one warehouse, as a replay has them. */
export function makeReplaySettings(fields: Partial<Profile> = {}): ReplaySettings {
  return { profile: makeProfile(fields), warehouses: [makeWarehouse()], currency: "USD" };
}

export function makeProfile(fields: Partial<Profile> = {}): Profile {
  return {
    revision: 1,
    switchedOn: true,
    mode: "lucrative",
    specialMode: null,
    filters: makeFilters(),
    filtersVersion: 1,
    serviceUntil: NOON + 30 * 24 * HOUR_MS,
    waitingForSpot: false,
    ...fields,
  };
}

/** Linked, paid and switched on. Held blocks were fetched at `NOON`; no poll was sent yet. */
export function activeState(fields: Partial<DriverState> = {}): DriverState {
  const blank = initialState("0123456789abc");
  const { profile = makeProfile() } = fields;
  return {
    ...blank,
    profile,
    expiryWarnings: {
      endsAt: profile?.serviceUntil ?? null,
      thresholdsMs: [],
      isEndTold: false,
      renewalAt: null,
    },
    link: { status: "linked" },
    warehouses: [makeWarehouse()],
    phase: { kind: "polling" },
    ...fields,
    transient: { ...blank.transient, heldFetchedAt: NOON, ...fields.transient },
  };
}

/** The logged events among the effects. */
export function logged(effects: readonly Effect[]): LogEvent[] {
  return effects.flatMap((effect) => (effect.kind === "log" ? effect.events : []));
}

/** The offers that the effects accept, in order. */
export function accepted(effects: readonly Effect[]): string[] {
  return effects.flatMap((effect) =>
    effect.kind === "accept" ? effect.attempts.map(({ offer }) => offer.offerId) : [],
  );
}

export function kinds(effects: readonly Effect[]): string[] {
  return effects.map(({ kind }) => kind);
}

// Bugs known from open-source tools of this kind. Each has a test that we don't repeat it.

export const drop = (offer: Offer, from = NOON, to = offer.expiresAt): ListedOffer => ({ offer, from, to });

/** Every reason against an offer, the main one first; empty if it matches. */
export function matchOffer(offer: Offer, context: MatchContext): Reason[] {
  return judgeOffer(offer, context).reasons;
}

export function codes(offer: Offer, fields: Partial<Profile>, now = NOON): string[] {
  const compiled = compileFilters(makeProfile(fields), [makeWarehouse()]);
  return matchOffer(offer, matchContext(compiled, now)).map(({ code }) => code);
}
