import { clearAlert, raiseAlert } from "../../db/queries/fleet/alerts.ts";
import { applyReport, hasTextArrivedLately } from "../../db/queries/texts/delivery.ts";
import { isAboutNumber, type TextProblem, type TextStatus } from "../../db/shapes/text-delivery.ts";
import { DAY_MS } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { parseTextStatus, problemOf } from "../../durable/sms/gateway-codes.ts";
import type { TextReport } from "../contract/webhooks.ts";

/** Texts that failed in a row, whomever they were for, until an operator must look. */
const FAILED_IN_A_ROW = 3;
const UNDELIVERED_ALERT = "texts.undelivered";

type ReportDeps = Pick<Deps, "db" | "now" | "log">;

/** Keeps what the gateway reports of a text. One that we did not send, or that has ended, changes nothing. */
export async function takeReport(
  deps: ReportDeps,
  id: string,
  { MessageStatus, ErrorCode }: TextReport,
): Promise<void> {
  const { db, now, log } = deps;
  const status = parseTextStatus(MessageStatus);
  if (status === "other") log("warn", "texts.report.unknown");
  const problem = problemOf(ErrorCode === undefined ? null : Number(ErrorCode));
  const kind = outcomeOf(status);
  const outcome = kind === "failed" ? { kind, problem } : kind && { kind };
  if (!(await applyReport(db, { id, status, outcome, now: now() }))) return;
  if (kind === "failed") {
    log("warn", "texts.undelivered", { problem });
    if (!isAboutNumber(problem)) await reportSender(deps, problem);
  } else if (kind === "arrived" && (await clearAlert(db, UNDELIVERED_ALERT))) {
    log("info", "texts.undelivered.recovered");
  }
}

/**
 * Raises an alert for what is not the number's: at once where a carrier objects to our texts, which it may do while others
 * let them through; else once none arrives any more, as for a sender that isn't registered or an account that is suspended.
 */
async function reportSender({ db, now, log }: ReportDeps, problem: TextProblem): Promise<void> {
  if (problem !== "filtered" && (await hasTextArrivedLately(db, FAILED_IN_A_ROW))) return;
  const name = problem === "filtered" ? "texts.filtered" : UNDELIVERED_ALERT;
  const at = now();
  if (await raiseAlert(db, { name, reason: problem, since: at, until: at + DAY_MS }))
    log("error", "texts.sender.failed", { problem });
}

/** The meaning of a report: `arrived`, `failed`, or nothing yet. A canceled text says nothing. */
function outcomeOf(status: TextStatus): "arrived" | "failed" | null {
  if (status === "delivered" || status === "read") return "arrived";
  return status === "undelivered" || status === "failed" ? "failed" : null;
}
