import type { WeekRecord } from "../week.ts";
import { judgeAccepts } from "./accepts.ts";
import { judgeDelivery } from "./delivery.ts";
import { judgeLimits } from "./limits.ts";
import { judgeLiveness } from "./liveness.ts";
import { judgeLostDays } from "./lost-days.ts";
import { judgeOffers } from "./offers.ts";
import { judgeOverlapRefusals } from "./overlaps.ts";
import { judgeQuota } from "./quota.ts";
import { judgeQuestions } from "./questions.ts";
import { judgeReplay } from "./replay.ts";
import { judgeTexts } from "./texts.ts";
import { judgeWaits } from "./waits.ts";
import type { Violation } from "./violation.ts";

/** Judges a week from the logs of the platform, the gateway, D1 and the page, and by its replay. */
export function judge(record: WeekRecord): Violation[] {
  const violations: Violation[] = [];
  if (record.ended === "endless") {
    violations.push({
      invariant: "nothing runs in circles or breaks",
      cause: "endless",
      at: record.plan.endsAt,
      says: "more entries than the busiest week has",
    });
  }
  for (const line of record.errors) {
    // An operator hears of a gateway that fails, and the script made it fail.
    if (line.includes(`"texts.gateway.failed"`)) continue;
    violations.push({ invariant: "nothing runs in circles or breaks", cause: "error", at: 0, says: line });
  }
  return [
    ...violations,
    ...judgeAccepts(record),
    ...judgeDelivery(record),
    ...judgeLimits(record),
    ...judgeLiveness(record),
    ...judgeLostDays(record),
    ...judgeOffers(record),
    ...judgeOverlapRefusals(record),
    ...judgeQuota(record),
    ...judgeQuestions(record),
    ...judgeReplay(record),
    ...judgeTexts(record),
    ...judgeWaits(record),
  ].toSorted((one, other) => one.at - other.at);
}
