import type { WeekRecord } from "../week.ts";
import { judgeAccepts } from "./accepts.ts";
import { judgeDelivery } from "./delivery.ts";
import { judgeLiveness } from "./liveness.ts";
import { judgeOffers } from "./offers.ts";
import { judgeOverlapRefusals } from "./overlaps.ts";
import { judgeQuota } from "./quota.ts";
import { judgeWaits } from "./waits.ts";

export const INVARIANTS = [
  "at most one effect per offer",
  "no two overlapping blocks",
  "every accept satisfies the filters in force",
  "none after off, unlink or the end of service",
  "every effect reaches history, page, D1 and phone",
  "what is given back stays so",
  "switched on means an alarm",
  "every attempt settles",
  "quota kept",
  "a healthy platform is polled",
  "nothing runs in circles or breaks",
] as const;
export type Invariant = (typeof INVARIANTS)[number];

/** What broke, when, and what shows it. `fault` names the cause more narrowly, where it is known. */
export type Violation = { invariant: Invariant; cause: string; at: number; says: string };

/** Judges a week from the logs of the platform, the gateway, D1 and the page. */
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
    // An operator is told of a gateway that fails, and it was made to fail.
    if (line.includes(`"texts.gateway.failed"`)) continue;
    violations.push({ invariant: "nothing runs in circles or breaks", cause: "error", at: 0, says: line });
  }
  return [
    ...violations,
    ...judgeAccepts(record),
    ...judgeDelivery(record),
    ...judgeLiveness(record),
    ...judgeOffers(record),
    ...judgeOverlapRefusals(record),
    ...judgeQuota(record),
    ...judgeWaits(record),
  ].toSorted((one, other) => one.at - other.at);
}
