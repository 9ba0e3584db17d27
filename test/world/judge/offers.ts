import type { PlatformOffer } from "../platform/model.ts";
import type { WeekRecord } from "../week.ts";
import type { WireEntry } from "../host/network.ts";
import type { Violation } from "./violation.ts";
import { mayBeKeptOut } from "./limits.ts";
import { calmFrom, isAwake, isTickerLost, mustWatch, troublesOf } from "./calm.ts";
import { isWanted, profilesInForce } from "./told.ts";

/** A wanted offer that has been listed for so long, with nothing going wrong, is tried. */
const PATIENCE_MS = 40_000;
/** An accept whose connection broke is repeated this soon. */
const REPEAT_MS = 600;
/** A warehouse that opened is known this soon after the driver looked at their filters, else after a day. */
const SEEN_AFTER_LOOK_MS = 5_000;
const DAY_MS = 24 * 3_600_000;
/** A look this soon after the list was read does not read it again. */
const LOOK_AGE_MS = 10_000;
/** So many accepts may be under way at once. */
const MAX_ACCEPTS = 4;
/** Offers of one listing leave together. */
const TOGETHER_MS = 150;

/** The offers that should have been tried, and the time for it. */
export function judgeOffers(record: WeekRecord): Violation[] {
  return [
    ...judgeWanted(record),
    ...judgeRepeats(record),
    ...judgeTogether(record),
    ...judgeWeeklyLimit(record),
  ];
}

function judgeWanted(record: WeekRecord): Violation[] {
  const { hand, plan, network, platform } = record;
  if (hand.isDeleted) return [];
  const troubles = troublesOf(record);
  const tried = new Set(
    network.wire.flatMap(({ step, offerId, status }) =>
      step === "accept" && offerId && status !== 401 ? [offerId] : [],
    ),
  );
  const patience = PATIENCE_MS + (plan.quota.kind === "none" ? 0 : plan.quota.windowMs);
  const held = [...platform.accounts.values()].flatMap(({ blocks }) => blocks);
  return [...hand.terms].flatMap(([offerId, terms]) => {
    const [first, second] = terms;
    if (!first?.offer || tried.has(offerId)) return [];
    const { offer } = first;
    const from = Math.max(first.at, calmFrom(troubles, first.at), knownFrom(record, offer.warehouseId));
    const to = Math.min(second?.at ?? Infinity, first.offer.expiresAt);
    if (to - from < patience || calmFrom(troubles, from + patience) > from) return [];
    if (isTickerLost(plan, { from, to: from + patience })) return [];
    if (!mustWatch(record, from) || !mustWatch(record, from + patience) || !isAwake(record, from)) return [];
    if (platform.isWeekFull(offer, { from, to })) return [];
    const [told] = profilesInForce(record, from + patience);
    const { offers } = platform;
    const isContested = [...held, ...offers.values()].some(
      (other) => other.offerId !== offerId && !other.offerId.startsWith("many_") && overlap(other, offer),
    );
    if (
      !told ||
      isContested ||
      isAsked(record, offer.warehouseId) ||
      mayBeKeptOut(record, { offer, from, to }) ||
      !isWanted(record, { profile: told.profile, offer, at: from + patience })
    )
      return [];
    return [
      {
        invariant: "a healthy platform is polled",
        cause: `wanted offer not tried${hand.opened.has(offer.warehouseId) ? " (new warehouse)" : ""}`,
        at: from + patience,
        says: `${offerId} was listed from ${first.at} to ${to} and never tried`,
      } satisfies Violation,
    ];
  });
}

/** Whether the driver is asked about offers of a warehouse, so that none must be tried. */
function isAsked({ plan }: WeekRecord, warehouseId: string): boolean {
  return plan.asks === true && warehouseId !== "w1";
}

/** From when on a warehouse must be known: once the driver has looked at their filters, else a day after it opened. */
function knownFrom({ hand }: WeekRecord, warehouseId: string): number {
  const openedAt = hand.opened.get(warehouseId);
  if (openedAt === undefined) return -Infinity;
  const look = hand.looks.find((at) => at >= openedAt + LOOK_AGE_MS);
  return Math.min(openedAt + DAY_MS, look === undefined ? Infinity : look + SEEN_AFTER_LOOK_MS);
}

function overlap(
  one: Pick<PlatformOffer, "startsAt" | "endsAt">,
  other: Pick<PlatformOffer, "startsAt" | "endsAt">,
) {
  return one.startsAt < other.endsAt && other.startsAt < one.endsAt;
}

/** A call that was cut leaves the object in doubt: it asks again as soon as it notices, which on a slow connection is later. */
function judgeRepeats(record: WeekRecord): Violation[] {
  const { network, crashes, plan } = record;
  return network.wire.flatMap((entry) => {
    if (entry.step !== "accept" || (entry.fault !== "request lost" && entry.fault !== "answer lost"))
      return [];
    const cutAt = Math.max(entry.sentAt + 100, entry.endedAt ?? 0);
    const isFirst = network.wire.find(({ key }) => key === entry.key) === entry;
    const isDisturbed =
      crashes.some((crash) => Math.abs(crash - entry.sentAt) < 10_000) ||
      plan.items.some(
        ({ kind, at }) => kind !== "offer" && kind !== "fault" && Math.abs(at - entry.sentAt) < 10_000,
      ) ||
      network.wire.some(
        (other) =>
          other.fault !== null && other.step !== "accept" && Math.abs(other.sentAt - entry.sentAt) < 10_000,
      );
    const again = network.wire.find(({ key, sentAt }) => key === entry.key && sentAt > entry.sentAt);
    if (!isFirst || isDisturbed || (again && again.sentAt <= cutAt + REPEAT_MS) || !mustWatch(record, cutAt))
      return [];
    const says = `${entry.key} was cut, and repeated ${again ? `after ${again.sentAt - entry.sentAt} ms` : "never"}`;
    return [
      {
        invariant: "every attempt settles",
        cause: "repeated late",
        at: entry.sentAt,
        says,
      } satisfies Violation,
    ];
  });
}

/** Accepts of one listing that leave one after the other, each when the one before was answered. */
function judgeTogether({ network, crashes }: WeekRecord): Violation[] {
  const accepts = network.wire.filter(({ step }) => step === "accept");
  return accepts.flatMap((entry, index) => {
    const before = accepts[index - 1];
    if (!before || before.answeredAt === null || before.status !== 200 || before.key === entry.key) return [];
    const waited = entry.sentAt - before.sentAt;
    const isNext = entry.sentAt >= before.answeredAt && entry.sentAt - before.answeredAt < 30;
    if (!isNext || waited < TOGETHER_MS || crashes.some((crash) => Math.abs(crash - entry.sentAt) < 5_000))
      return [];
    const listing = network.wire.findLast(
      ({ step, answeredAt, status }) =>
        step === "poll" && status === 200 && answeredAt !== null && answeredAt <= before.sentAt,
    );
    if (!lists(listing, entry.offerId) || !isFree(listing, before, entry)) return [];
    if (
      network.wire.some(
        ({ step, sentAt }) => step === "blocks" && sentAt > before.sentAt && sentAt < entry.sentAt,
      )
    )
      return [];
    // No more than four are under way at once: the fifth waits for one of them.
    const beside = accepts.filter(
      ({ sentAt, endedAt }) => sentAt < entry.sentAt && (endedAt ?? Infinity) > before.sentAt,
    );
    if (beside.length >= MAX_ACCEPTS) return [];
    const says = `${entry.offerId} left ${waited} ms after ${before.offerId} of the same listing`;
    return [
      {
        invariant: "a healthy platform is polled",
        cause: "one by one",
        at: entry.sentAt,
        says,
      } satisfies Violation,
    ];
  });
}

function lists(listing: WireEntry | undefined, offerId: string | null): boolean {
  return JSON.stringify(listing?.body ?? "").includes(`"${offerId}"`);
}

function isFree(listing: WireEntry | undefined, one: WireEntry, other: WireEntry): boolean {
  const spans = [one, other].map(({ offerId }) => spanIn(listing?.body, offerId));
  const [first, second] = spans;
  return (
    first !== undefined &&
    second !== undefined &&
    (first.endsAt <= second.startsAt || second.endsAt <= first.startsAt)
  );
}

function spanIn(body: unknown, offerId: string | null): { startsAt: number; endsAt: number } | undefined {
  if (typeof body !== "object" || body === null || !("offers" in body) || !Array.isArray(body.offers))
    return undefined;
  const offers: { offerId: string; startsAt: string; endsAt: string }[] = body.offers;
  const found = offers.find((offer) => offer.offerId === offerId);
  return found && { startsAt: Date.parse(found.startsAt), endsAt: Date.parse(found.endsAt) };
}

/** A weekly limit is learnt from the first refusal. A shorter offer than those refused may still have room. */
function judgeWeeklyLimit({ network, platform, crashes, plan }: WeekRecord): Violation[] {
  const refused = network.wire.filter(
    ({ code, answeredAt }) => code === "weekly_limit" && answeredAt !== null,
  );
  const hasReason = (from: number, to: number) =>
    crashes.some((crash) => crash > from && crash < to) ||
    plan.items.some(
      ({ kind, at }) => ["link", "unlink", "zombie", "clock jump"].includes(kind) && at > from && at < to,
    ) ||
    [...platform.accounts.values()].some(({ blocks }) =>
      blocks.some(({ endsAt, givenBackAt }) =>
        [endsAt, givenBackAt].some((at) => at !== null && at > from - 1_000 && at < to),
      ),
    );
  const lengths = new Map(
    plan.items.flatMap((item) => (item.kind === "offer" ? [[item.offer.offerId, item.offer.minutes]] : [])),
  );
  const lengthOf = ({ offerId }: WireEntry) => lengths.get(offerId ?? "") ?? Infinity;
  // One more is asked when a block ends or the week does; that several were on their way at once is no fault.
  const pairs = refused.slice(2).flatMap((entry, index) => {
    const earlier = refused[index];
    if (!earlier || earlier.answeredAt === null || entry.sentAt < earlier.answeredAt + 1_000) return [];
    const isSameDay = entry.sentAt - earlier.answeredAt < 6 * 3_600_000;
    if (lengthOf(entry) < Math.min(...refused.slice(0, index + 2).map(lengthOf))) return [];
    return isSameDay && !hasReason(earlier.answeredAt, entry.sentAt) ? [entry] : [];
  });
  return pairs.slice(0, 1).map(({ sentAt, offerId }) => ({
    invariant: "quota kept",
    cause: "weekly limit not learnt",
    at: sentAt,
    says: `${offerId} was tried after two refusals for the weekly limit`,
  }));
}
