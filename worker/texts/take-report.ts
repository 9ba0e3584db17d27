import { applyReport } from "../../db/queries/text-delivery.ts";
import type { Deps } from "../../durable/deps.ts";
import {
  FINAL_STATUSES,
  isPermanent,
  outcomeOf,
  parseTextStatus,
  PAUSE_AFTER,
  problemOf,
} from "../../durable/texts/delivery-rules.ts";
import type { TextReport } from "../contract/webhooks.ts";

/** Keeps what the gateway reports of a text. One that we did not send, or that has ended, changes nothing. */
export async function takeReport(
  { db, now, log }: Pick<Deps, "db" | "now" | "log">,
  id: string,
  { MessageStatus, ErrorCode }: TextReport,
): Promise<void> {
  const status = parseTextStatus(MessageStatus);
  const problem = problemOf(ErrorCode === undefined ? null : Number(ErrorCode));
  const kind = outcomeOf(status);
  const isTaken = await applyReport(db, {
    id,
    status,
    outcome: kind === "failed" ? { kind, problem, isPermanent: isPermanent(problem) } : kind && { kind },
    finalStatuses: FINAL_STATUSES,
    pauseAfter: PAUSE_AFTER,
    now: now(),
  });
  if (status === "other") log("warn", "texts.report.unknown");
  if (isTaken && kind === "failed") log("warn", "texts.undelivered", { problem });
}
