import type { WeekRecord } from "../week.ts";
import { mustWatch } from "./calm.ts";
import type { Violation } from "./violation.ts";

/** How soon the object requests the blocks after an accept was refused for an overlap. */
const AT_ONCE_MS = 500;
const SPAN_MS = 60_000;

/** After an accept was refused for an overlap the blocks are read at once, and nothing of its span is tried before. */
export function judgeOverlapRefusals(record: WeekRecord): Violation[] {
  const { network, crashes, plan } = record;
  return network.wire.flatMap((entry): Violation[] => {
    const { code, answeredAt, step } = entry;
    if (step !== "accept" || code !== "overlap" || answeredAt === null || entry.isFromOldInstance) return [];
    const [from, to] = [answeredAt - SPAN_MS, answeredAt + SPAN_MS];
    const isDisturbed =
      crashes.some((at) => at > from && at < to) ||
      network.wire.some(({ fault, sentAt }) => fault !== null && sentAt > from && sentAt < to) ||
      plan.items.some(({ kind, at }) => kind !== "offer" && kind !== "take by hand" && at > from && at < to);
    if (isDisturbed || !mustWatch(record, answeredAt + AT_ONCE_MS)) return [];
    const reads = network.wire.filter(({ operation }) => operation === "blocks");
    const isReading = reads.some(
      ({ sentAt, endedAt }) => sentAt <= answeredAt && (endedAt ?? 0) > answeredAt,
    );
    const read = reads.find(({ sentAt }) => sentAt >= answeredAt);
    if (!isReading && (!read || read.sentAt > answeredAt + AT_ONCE_MS)) {
      const says = `${entry.offerId} overlaps a block: the blocks were read ${read ? `${read.sentAt - answeredAt} ms` : "never"} after that`;
      return [{ invariant: "no two overlapping blocks", cause: "read late", at: answeredAt, says }];
    }
    const offer = record.platform.offers.get(entry.offerId ?? "");
    const early = network.wire.find((other) => {
      const tried = record.platform.offers.get(other.offerId ?? "");
      return (
        other.step === "accept" &&
        other.key !== entry.key &&
        other.sentAt > answeredAt &&
        other.sentAt < (read?.answeredAt ?? 0) &&
        offer !== undefined &&
        tried !== undefined &&
        offer.startsAt < tried.endsAt &&
        tried.startsAt < offer.endsAt
      );
    });
    if (!early) return [];
    const says = `${early.offerId} was tried before the blocks were read that ${entry.offerId} overlaps`;
    return [{ invariant: "no two overlapping blocks", cause: "tried unread", at: early.sentAt, says }];
  });
}
