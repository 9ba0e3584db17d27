import type { PlatformBlock, PlatformOffer } from "../platform/model.ts";
import type { WeekRecord } from "../week.ts";
import { effectsOf, isKnownHeld, type Effect } from "./accepts.ts";
import type { Violation } from "./violation.ts";

const INVARIANT = "never above a limit";
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** A block that was given back is known to be so after this time, and an accept that was refused no longer counts. */
const FREED_MS = 2 * MINUTE_MS;

type Counted = Pick<PlatformBlock, "offerId" | "warehouseId" | "startsAt" | "endsAt" | "payCents">;

/** A block with the day on which it starts, by the clock of its warehouse, in days since 1970. */
type Dated = Counted & { day: number };

/** Blocks that the object took, beside all that it must have known of: none is more than the driver's limits allow. */
export function judgeLimits(record: WeekRecord): Violation[] {
  const { limits } = record.plan;
  if (!limits) return [];
  const dated = datedBy(record);
  const effects = effectsOf(record);
  return effects.flatMap((effect): Violation[] => {
    const block = dated(effect.block);
    const others = heldBeside(record, effect, effects).map(dated);
    const causes = brokenBy(block, others, limits);
    return causes.map((cause) => {
      const says = `${block.offerId} was taken beside ${others.length} blocks`;
      return { invariant: INVARIANT, cause, at: effect.at, says };
    });
  });
}

/**
 * Whether limits may have kept an offer from being tried in a span: with every block that was held in it, and every accept that
 * was under way or in doubt, it would have been too much.
 */
export function mayBeKeptOut(
  record: WeekRecord,
  { offer, from, to }: { offer: PlatformOffer; from: number; to: number },
): boolean {
  const { limits } = record.plan;
  if (!limits) return false;
  const { platform, network } = record;
  const held = [...platform.accounts.values()].flatMap(({ blocks }) =>
    blocks.filter(
      ({ acceptedAt, givenBackAt }) =>
        acceptedAt <= to && (givenBackAt === null || givenBackAt > from - FREED_MS),
    ),
  );
  const tried = network.wire.flatMap(({ step, sentAt, offerId, status, answeredAt }) => {
    const isSettled = status !== null && status < 500 && answeredAt !== null && answeredAt < from - FREED_MS;
    return step !== "accept" || sentAt > to || isSettled ? [] : (platform.offers.get(offerId ?? "") ?? []);
  });
  const counted = new Map([...tried, ...held].map((each) => [each.offerId, each]));
  counted.delete(offer.offerId);
  const dated = datedBy(record);
  return brokenBy(dated(offer), [...counted.values()].map(dated), limits).length > 0;
}

function datedBy({ platform }: WeekRecord): (block: Counted) => Dated {
  const zones = new Map(platform.warehouses.map((each) => [each.warehouseId, each.timeZone]));
  return (block) => ({ ...block, day: dayAt(block.startsAt, zones.get(block.warehouseId) ?? "UTC") });
}

function heldBeside(record: WeekRecord, effect: Effect, effects: readonly Effect[]): PlatformBlock[] {
  return record.platform
    .account(effect.email)
    .blocks.filter(
      (other) =>
        other !== effect.block &&
        other.acceptedAt <= effect.at &&
        other.status !== "forfeited" &&
        isKnownHeld(record, { other, effect, effects }),
    );
}

/** The limits that a block breaks, by a reading of its own: dates from the calendar, and sums over lists. */
function brokenBy(
  block: Dated,
  others: readonly Dated[],
  limits: NonNullable<WeekRecord["plan"]["limits"]>,
): string[] {
  const sameDay = others.filter(({ day }) => day === block.day);
  const sameWeek = others.filter(({ day }) => mondayOf(day) === mondayOf(block.day));
  const gaps = (blocks: readonly Dated[]) =>
    blocks
      .map((other) => Math.max(other.startsAt - block.endsAt, block.startsAt - other.endsAt) / MINUTE_MS)
      .filter((gap) => gap >= 0);
  const elsewhere = others.filter(({ warehouseId }) => warehouseId !== block.warehouseId);
  const pay = sameWeek.reduce((sum, { payCents }) => sum + payCents, 0);
  const isOver = (most: number | null, used: number) => most !== null && used > most;
  const isClose = (least: number | null, blocks: readonly Dated[]) =>
    least !== null && gaps(blocks).some((gap) => gap < least);
  return [
    ...(isOver(limits.blocksPerDay, sameDay.length + 1) ? ["blocks a day"] : []),
    ...(isOver(limits.minutesPerDay, minutesOf([...sameDay, block])) ? ["hours a day"] : []),
    ...(isOver(limits.minutesPerWeek, minutesOf([...sameWeek, block])) ? ["hours a week"] : []),
    ...(limits.weekGoalCents !== null && pay >= limits.weekGoalCents ? ["goal"] : []),
    ...(isClose(limits.restMinutes, others) ? ["rest"] : []),
    ...(isClose(limits.travelMinutes, elsewhere) ? ["travel"] : []),
  ];
}

function minutesOf(blocks: readonly Dated[]): number {
  return blocks.reduce((sum, { startsAt, endsAt }) => sum + (endsAt - startsAt) / MINUTE_MS, 0);
}

function dayAt(at: number, timeZone: string): number {
  const format = new Intl.DateTimeFormat("en-CA", {
    timeZone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  });
  return Date.parse(format.format(at)) / DAY_MS;
}

/** The first of January 1970 was a Thursday. */
function mondayOf(day: number): number {
  return day - ((day + 3) % 7);
}
