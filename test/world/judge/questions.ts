import type { Question } from "../../../db/shapes/work/question.ts";
import type { WeekRecord } from "../week.ts";
import type { WireEntry } from "../host/network.ts";
import { CLOCK_TOLERANCE_MS, profilesInForce } from "./told.ts";
import type { Violation } from "./violation.ts";

const INVARIANT = "a question has one effect at most, and none once it is over";

/**
 * Accepts of offers that the driver is asked about: each follows a yes, one attempt a question, and none comes after a
 * no, after the time for an answer, or once the page was told that the question is over.
 */
export function judgeQuestions(record: WeekRecord): Violation[] {
  if (!record.plan.asks) return [];
  const tried = new Map<string, Set<string>>();
  return record.network.wire.flatMap((entry): Violation[] => {
    const { step, offerId, key, sentAt: at } = entry;
    if (step !== "accept" || offerId === null || key === null || !isAskedAbout(record, entry)) return [];
    const keys = tried.get(offerId) ?? new Set();
    if (keys.has(key)) return [];
    tried.set(offerId, keys.add(key));
    const asked = [...record.dashboard.asked.values()].filter(({ offer }) => offer.offerId === offerId);
    const approved = asked.filter((question) => approvedAt(record, question) <= at);
    if (keys.size <= approved.length) return [];
    const cause = approved.length > 0 ? "twice" : asked.length > 0 ? "not approved" : "not asked";
    const says = `${offerId} was tried under ${key}, ${keys.size} attempts after ${approved.length} of ${asked.length} questions`;
    return [{ invariant: INVARIANT, cause, at, says }];
  });
}

/** Whether the rule for the place of an accept asks, by every profile that the object may act by. */
function isAskedAbout(record: WeekRecord, { offerId, sentAt }: WireEntry): boolean {
  const warehouseId = record.platform.offers.get(offerId ?? "")?.warehouseId;
  const inForce = profilesInForce(record, sentAt);
  return (
    inForce.length > 0 &&
    inForce.every(({ profile }) =>
      profile.filters.warehouses.some((rule) => rule.warehouseId === warehouseId && rule.action === "ask"),
    )
  );
}

/** When the driver said yes while the question could still have an effect; Infinity if they never did. */
function approvedAt(record: WeekRecord, { questionId, closesAt, filtersVersion }: Question): number {
  const { hand, dashboard } = record;
  const closedAt = dashboard.closedAt.get(questionId) ?? Infinity;
  const answers = hand.answers.filter((answer) => answer.questionId === questionId);
  const no = answers.find(({ answer, status }) => answer === "pass" && status === "passed");
  const yes = answers.find(
    ({ answer, sentAt }) =>
      answer === "take" &&
      sentAt < closesAt + CLOCK_TOLERANCE_MS &&
      sentAt <= closedAt &&
      !(no && no.sentAt < sentAt) &&
      profilesInForce(record, sentAt).some(({ profile }) => profile.filtersVersion === filtersVersion),
  );
  return yes?.sentAt ?? Infinity;
}
