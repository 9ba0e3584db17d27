import type { Violation } from "./judge/violation.ts";
import type { WeekRecord } from "./week.ts";

const BEFORE_MS = 200_000;
const AFTER_MS = 20_000;
const MAX_LENGTH = 300;
const MAX_LINES = 120;

/** The events around a violation: the script, the wire and the object's notifications. */
export function traceAround(record: WeekRecord, { at }: Violation): string {
  const { network, plan, worker, crashes } = record;
  const lines = [
    ...network.wire.map((entry) => ({
      at: entry.sentAt,
      says: [
        entry.operation,
        entry.offerId,
        entry.key,
        entry.fault && `(${entry.fault})`,
        entry.answeredAt === null
          ? "no answer"
          : `${entry.status} ${entry.code ?? ""} +${entry.answeredAt - entry.sentAt}`,
        entry.waitSeconds !== null && `wait ${entry.waitSeconds} s`,
        `life ${entry.lifeId}${entry.isFromOldInstance ? " old" : ""}`,
      ]
        .filter(Boolean)
        .join(" "),
    })),
    ...plan.items.map((item) => ({ at: item.at, says: `* ${JSON.stringify(item)}` })),
    ...crashes.map((crash) => ({ at: crash, says: "* crash" })),
    ...worker.told.map(({ profile, sentAt, returnedAt }) => ({
      at: sentAt,
      says: `* told revision ${profile.revision} on=${profile.switchedOn} until=${profile.serviceUntil} returned=${returnedAt}`,
    })),
    ...worker.farewells.map((farewell) => ({
      at: farewell.deliveredAt ?? 0,
      says: `* ${JSON.stringify(farewell)}`,
    })),
    ...record.log.map(({ event }) => ({
      at: event.at,
      says: `log: ${JSON.stringify(event).slice(0, MAX_LENGTH)}`,
    })),
    ...network.texts.map(({ at: sentAt, body }) => ({ at: sentAt, says: `text: ${body}` })),
  ].filter((line) => line.at > at - BEFORE_MS && line.at < at + AFTER_MS);
  return lines
    .toSorted((one, other) => one.at - other.at)
    .slice(-MAX_LINES)
    .map((line) => `${new Date(line.at).toISOString()} ${line.says}`)
    .join("\n");
}
