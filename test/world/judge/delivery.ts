import type { WeekRecord } from "../week.ts";
import type { SentText } from "../network.ts";
import { effectsOf, type Effect } from "./accepts.ts";
import type { Violation } from "./violation.ts";

/** Around a crash a text may be lost: it is sent at most once. */
const TEXT_RISK_MS = 6 * 60_000;
/** The page resumes over this long; what is older it reads from the list. */
const PAGE_MEMORY_MS = 20 * 3_600_000;
/** An answer is stored at once; a crash before that loses it. */
const STORING_MS = 1_000;

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
  const { plan, won, blocksInD1, dashboard, network } = record;
  const { block, at } = effect;
  const texts = network.texts.filter((text) => isAbout(text, block.payCents, block.currency));
  const violations: Violation[] = [];
  const broken = (cause: string, says: string): void => {
    violations.push({
      invariant: "every effect reaches history, page, D1 and phone",
      cause,
      at,
      says: `${block.offerId} ${says}`,
    });
  };
  if (texts.length > 1) broken("text twice", `was texted ${texts.length} times`);
  if (!isKnowable(record, effect)) return violations;
  const entry = won.find(
    ({ event }) =>
      event.kind === "attempt_settled" &&
      event.attempt.outcome.status === "won" &&
      event.attempt.outcome.block.blockId === block.blockId,
  );
  if (!entry) {
    broken(effect.sent?.fault ?? "history", "is not in the history");
    return violations;
  }
  if (!blocksInD1.has(block.blockId)) broken("D1", "is not in D1");
  if (
    record.met.has("item: dashboard") &&
    at > plan.endsAt - PAGE_MEMORY_MS &&
    !dashboard.wonBlocks().has(block.blockId)
  )
    broken("page", "was not shown on the page");
  if (texts.length === 0 && isTextSafe(record, entry.event.at)) broken("text lost", "was not texted");
  return violations;
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

/** Every offer's pay is its own. */
function isAbout({ body }: SentText, payCents: number, currency: string): boolean {
  const pay = new Intl.NumberFormat("en-US", {
    style: "currency",
    currency,
    trailingZeroDisplay: "stripIfInteger",
  });
  const text = pay.format(payCents / 100);
  const position = body.indexOf(text);
  return position >= 0 && !/^[\d.]\d/.test(body.slice(position + text.length));
}
