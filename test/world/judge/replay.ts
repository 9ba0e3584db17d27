import * as z from "zod/mini";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import { warehouse as warehouseShape } from "../../../db/shapes/work/offer.ts";
import type { OfferId, Span } from "../../../db/shapes/units.ts";
import { overlaps } from "../../../durable/engine/verdicts/match.ts";
import { replayListings, type ReplaySettings } from "../../../durable/engine/replay/replay.ts";
import type { WeekRecord } from "../week.ts";
import { byObjectClock } from "./told.ts";
import type { Violation } from "./violation.ts";

/** A trouble so near to a decision may keep an accept from leaving, or what it did from being known. */
const NEAR_MS = 120_000;
/** An answer that takes so long keeps an accept waiting behind it, until the offer is over. */
const SLOW_MS = 2_000;
const WEEK_MS = 7 * 24 * 3_600_000;

/** An attempt of the log: when it began, and whether it won a block. */
type Tried = { at: number; settledAt: number; offer: Offer; isWon: boolean; isWeekFull: boolean };

/**
 * A replay by the settings that were in force takes what the log says was taken. Where they differ first, an accept of
 * that time was lost or in doubt, could not leave, or left beside a block that the driver had just taken by hand; what
 * differs later may follow from it.
 */
export function judgeReplay(record: WeekRecord): Violation[] {
  const { hand, listings } = record;
  // Of a deleted account nothing is left to replay, and a replay knows no answers to questions.
  if (hand.isDeleted || record.plan.asks) return [];
  // Blocks of a former account count toward limits in a replay, and not in the object.
  if (record.plan.limits && new Set(hand.links.map(({ email }) => email)).size > 1) return [];
  const tried = triedOffers(record);
  const won = new Map(tried.flatMap((each) => (each.isWon ? [[each.offer.offerId, each] as const] : [])));
  const missed = new Set(tried.flatMap(({ offer }) => (won.has(offer.offerId) ? [] : [offer.offerId])));
  const { taken } = replayListings({
    changes: listings,
    settingsAt: settingsOf(record),
    heldBefore: [],
    captured: new Set<OfferId>(won.keys()),
    missed,
    refusals: tried.flatMap(({ settledAt, offer, isWeekFull }) =>
      isWeekFull ? [{ at: settledAt, offer }] : [],
    ),
  });
  const ids = new Set(taken.map(({ offer }) => offer.offerId));
  const differences = [
    ...taken.filter(({ offer }) => !won.has(offer.offerId)),
    ...[...won.values()].filter(({ offer }) => !ids.has(offer.offerId)),
  ].toSorted((one, other) => one.at - other.at);
  const [first] = differences;
  if (
    !first ||
    isUnsure(tried, first.offer) ||
    (record.plan.limits && mayHaveCounted(tried, first)) ||
    isTroubled(record, first.at) ||
    wasTakenUnseen(record, first)
  )
    return [];
  return [
    {
      invariant: "a replay takes what was taken",
      cause: ids.has(first.offer.offerId) ? "taken by the replay alone" : "not taken by the replay",
      at: first.at,
      says: `${first.offer.offerId}: the replay takes ${ids.size} offers, the log has ${won.size}`,
    },
  ];
}

function triedOffers({ log }: WeekRecord): Tried[] {
  return log.flatMap(({ event }) => {
    if (event.kind !== "attempt_settled") return [];
    const { createdAt: at, offer, outcome } = event.attempt;
    const isWeekFull = outcome.status === "lost" && outcome.reason === "weekly_limit";
    return [{ at, settledAt: event.at, offer, isWon: outcome.status === "won", isWeekFull }];
  });
}

/** The settings that the object had been told at an instant of its clock. */
function settingsOf(record: WeekRecord): (at: number) => ReplaySettings {
  const { platform, worker } = record;
  const warehouses = platform.warehouses.map((warehouse) =>
    z.parse(warehouseShape, { ...warehouse, address: null, latitude: 0, longitude: 0, geofenceMeters: 100 }),
  );
  const all = worker.told.map(({ profile, deliveredAt }) => ({
    deliveredAt: deliveredAt === null ? Infinity : byObjectClock(record, deliveredAt),
    settings: { profile, warehouses, currency: "USD" },
  }));
  const [first] = all;
  if (!first) throw new Error("the object was told of no profile");
  return (at) =>
    all
      .filter(({ deliveredAt }) => deliveredAt <= at)
      .reduce(
        (newest, { settings }) => (settings.profile.revision > newest.profile.revision ? settings : newest),
        first.settings,
      );
}

/** Whether an attempt that did not end with a block concerns an offer: its span, or all of the platform's week. */
function isUnsure(tried: readonly Tried[], { startsAt, endsAt }: Offer): boolean {
  return tried.some(
    ({ isWon, isWeekFull, offer }) =>
      !isWon &&
      (overlaps(offer, { startsAt, endsAt }) ||
        (isWeekFull && Math.abs(offer.startsAt - startsAt) < WEEK_MS)),
  );
}

/**
 * Whether an attempt that missed counted toward the limits of an offer's week meanwhile, around an instant or for long: the
 * replay knows at once that it missed.
 */
function mayHaveCounted(tried: readonly Tried[], { at, offer }: { at: number; offer: Offer }): boolean {
  return tried.some(
    (each) =>
      !each.isWon &&
      Math.abs(each.offer.startsAt - offer.startsAt) < WEEK_MS &&
      (each.settledAt - each.at > SLOW_MS || (each.at < at + NEAR_MS && each.settledAt > at - NEAR_MS)),
  );
}

/** Whether calls failed, were slow, or the object was lost around an instant. */
function isTroubled({ network, crashes, hand }: WeekRecord, at: number): boolean {
  const isNear = (instant: number) => Math.abs(instant - at) < NEAR_MS;
  return (
    [...crashes, ...hand.disturbances].some(isNear) ||
    network.wire.some(
      ({ sentAt, answeredAt, fault, status }) =>
        isNear(sentAt) &&
        (fault !== null ||
          status === null ||
          (status >= 400 && status !== 404) ||
          (answeredAt !== null && answeredAt - sentAt > SLOW_MS)),
    )
  );
}

/**
 * Whether the driver took a block by hand just before, of which the object had not heard: it may take another beside
 * it, or go over a limit of that week.
 */
function wasTakenUnseen(record: WeekRecord, { at, offer }: { at: number; offer: Offer }): boolean {
  const { listings, plan } = record;
  const isConcerned = (block: Span) =>
    plan.limits ? Math.abs(block.startsAt - offer.startsAt) < WEEK_MS : overlaps(block, offer);
  return listings.some((change) =>
    change.held.some(
      (block) =>
        block.offerId !== offer.offerId &&
        isConcerned(block) &&
        change.at > at &&
        isJustBefore(byObjectClock(record, block.acceptedAt), at),
    ),
  );
}

function isJustBefore(instant: number, at: number): boolean {
  return instant <= at && at - instant < NEAR_MS;
}
