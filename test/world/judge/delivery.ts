import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import type { PlatformBlock } from "../platform/model.ts";
import type { WeekRecord } from "../week.ts";
import type { DeliveredText } from "../host/network.ts";
import { effectsOf, type Effect } from "./accepts.ts";
import type { Violation } from "./violation.ts";

/** Around a crash a text may be lost: it is sent at most once. */
const TEXT_RISK_MS = 6 * 60_000;
/** The page resumes over this long; what is older it reads from the list. */
const PAGE_MEMORY_MS = 20 * 3_600_000;
/** An answer is stored at once; a crash before that loses it. */
const STORING_MS = 1_000;
const DAY_MS = 24 * 3_600_000;

/** Everyone must know the platform's acts. */
export function judgeDelivery(record: WeekRecord): Violation[] {
  if (record.hand.isDeleted) return judgeDeletion(record);
  return effectsOf(record).flatMap((effect) => judgeEffect(record, effect));
}

/** A deleted account leaves nothing behind, whatever was on its way to the object. */
function judgeDeletion({ worker, rowsLeft, plan }: WeekRecord): Violation[] {
  const isDone = worker.farewells.some(({ kind, returnedAt }) => kind === "delete" && returnedAt !== null);
  if (!isDone || rowsLeft === 0) return [];
  const invariant = "none after off, unlink or the end of service";
  return [
    { invariant, cause: "stored after deletion", at: plan.endsAt, says: `${rowsLeft} rows are stored` },
  ];
}

function judgeEffect(record: WeekRecord, effect: Effect): Violation[] {
  const { plan, won, dashboard, network } = record;
  const { block, at } = effect;
  const entry = won.find(({ event }) => isWonBy(event, record, block));
  const about = network.texts.filter((text) => isAbout(text, block.payCents, block.currency));
  // A second text makes certain what was probable.
  const texts = about.filter(({ body }) => !isProbable(body));
  const violations: Violation[] = [];
  const broken = (cause: string, says: string): void => {
    violations.push({
      invariant: "every effect reaches history, page, D1 and phone",
      cause,
      at,
      says: `${block.offerId} ${says}`,
    });
  };
  if (Math.max(texts.length, about.length - texts.length) > 1)
    broken("text twice", `was texted ${about.length} times`);
  if (!isKnowable(record, effect)) return violations;
  if (!entry) {
    if (wasAnyHalfKnown(record) && isToldAsProbable(record, block)) return violations;
    broken(effect.sent?.fault ?? "history", "is not in the history");
    return violations;
  }
  const { blockId } = blockOf(entry) ?? block;
  if (!isInSums(record, entry)) broken("D1", "is not in D1's sum of its day");
  if (
    record.met.has("item: dashboard") &&
    at > plan.endsAt - PAGE_MEMORY_MS &&
    // The page may have heard of it before any answer had its id.
    !dashboard.captures().some((event) => isWonBy(event, record, { ...block, blockId }))
  )
    broken("page", "was not shown on the page");
  const isTexted = texts.length > 0 || isTextedAsKnown(record, entry);
  if (!isTexted && isTextSafe(record, entry.event.at)) broken("text lost", "was not texted");
  return violations;
}

/** Whether D1 has as many captures of the day as the history, each block counted where it was captured last. */
function isInSums({ won, daysInD1 }: WeekRecord, entry: LogEntry): boolean {
  const dayOf = (block: Block | null) => Math.floor((block?.acceptedAt ?? 0) / DAY_MS);
  const blocks = won
    .flatMap((each) => blockOf(each) ?? [])
    .toSorted((one, other) => one.acceptedAt - other.acceptedAt);
  const days = new Map(blocks.map((each) => [each.blockId, dayOf(each)]));
  const block = blockOf(entry);
  const day = (block && days.get(block.blockId)) ?? dayOf(block);
  return daysInD1.get(day) === [...days.values()].filter((other) => other === day).length;
}

/**
 * Whether an entry of the history tells of a block. Where an answer left out or changed something of a block, its id may be
 * that: then the offer tells.
 */
function isWonBy(event: LogEntry["event"], record: WeekRecord, { blockId, offerId }: PlatformBlock): boolean {
  if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") return false;
  return (
    event.attempt.outcome.block.blockId === blockId ||
    (wasAnyHalfKnown(record) && event.attempt.offer.offerId === offerId)
  );
}

function blockOf({ event }: LogEntry): Block | null {
  return event.kind === "attempt_settled" && event.attempt.outcome.status === "won"
    ? event.attempt.outcome.block
    : null;
}

/**
 * Whether the driver was told that a block is probably theirs: all that is known if its list doesn't say of which offer
 * it is.
 */
function isToldAsProbable({ lost, network }: WeekRecord, { offerId }: PlatformBlock): boolean {
  const isLogged = lost.some(
    ({ event }) =>
      event.kind === "attempt_settled" &&
      event.attempt.offer.offerId === offerId &&
      event.attempt.outcome.status === "lost" &&
      event.attempt.outcome.reason === "probably_yours",
  );
  return isLogged && network.texts.some(({ body }) => isProbable(body));
}

function isProbable(body: string): boolean {
  return body.includes("probably yours");
}

/** Whether a text has the pay that the object knows, where the answer didn't tell the block's. */
function isTextedAsKnown(record: WeekRecord, entry: LogEntry): boolean {
  const known = blockOf(entry);
  if (!known || !wasAnyHalfKnown(record)) return false;
  return record.network.texts.some((text) => isAbout(text, known.payCents, known.currency));
}

function wasAnyHalfKnown({ network }: WeekRecord): boolean {
  return network.wire.some(({ fault, step }) => fault === "answer half known" && step !== "poll");
}

/** Whether the object could learn of the block: by the answer, or later from the list, while the account was linked. */
function isKnowable(
  { platform, network, hand, crashes, plan }: WeekRecord,
  { block, email, key }: Effect,
): boolean {
  const isListed = !block.isGone && platform.account(email).blocks.includes(block);
  const link = hand.links.findLast(({ from, email: linked }) => linked === email && from <= block.acceptedAt);
  const isLinkedOn = link !== undefined && link.to === null && hand.links.at(-1) === link;
  const isLearnt = network.wire.some(
    (entry) =>
      entry.key === key &&
      entry.status === 200 &&
      entry.answeredAt !== null &&
      !entry.isFromOldInstance &&
      !crashes.some(
        (crash) => crash >= (entry.answeredAt ?? 0) - 1 && crash <= (entry.answeredAt ?? 0) + STORING_MS,
      ),
  );
  return isLearnt || (isListed && isLinkedOn && block.acceptedAt < plan.endsAt - 3_600_000);
}

function isTextSafe({ plan, crashes }: WeekRecord, settledAt: number): boolean {
  const isFaulty = plan.items.some(
    (item) =>
      (item.kind === "fault" &&
        (item.step === "sms" || item.step === "any") &&
        Math.abs(item.at - settledAt) < TEXT_RISK_MS) ||
      (item.kind === "clock jump" && Math.abs(item.at - settledAt) < TEXT_RISK_MS),
  );
  return !isFaulty && !crashes.some((crash) => Math.abs(crash - settledAt) < TEXT_RISK_MS);
}

/** Every offer's pay is its own. A week's summary has the pay of its blocks too, and is about none of them. */
function isAbout({ body }: DeliveredText, payCents: number, currency: string): boolean {
  if (body.includes("/flex/week")) return false;
  const pay = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
  });
  const text = pay.format(payCents / 100);
  const position = body.indexOf(text);
  return position >= 0 && !/^[\d.]\d/.test(body.slice(position + text.length));
}
