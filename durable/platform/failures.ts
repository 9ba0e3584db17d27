import type { PlatformFailure } from "../engine/state/outcomes.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import { causeOfStatus } from "../runtime/call-failure.ts";
import { parseRefusalEnd, parseRetryAfter } from "./headers.ts";
import type { PlatformProblem } from "./parse/problem.ts";

/**
 * Maps an error response to the failure that any call can end with, by its code if we know it, else by its
 * status. `problem` is null if the body is not problem details. The code of a 5xx is ignored: the call may have
 * taken effect all the same. Any response's word about waiting counts, whatever its status.
 */
export function toPlatformFailure(
  { status, headers }: { status: number; headers: Headers },
  { problem, now }: { problem: PlatformProblem | null; now: EpochMs },
): PlatformFailure {
  if (status < 500 && (status === 429 || problem?.code === "rate_limited"))
    return { kind: "rate_limited", retryAt: parseRefusalEnd(headers, now) };
  const retryAt = parseRetryAfter(headers, now);
  const stated = retryAt === null ? {} : { retryAt };
  const cause = causeOfStatus(status);
  if (status >= 500) return { kind: "unreachable", ...stated, ...(cause && { cause }) };
  if (status < 400) return { kind: "unreadable", ...stated };
  if (status === 401) return { kind: "signed_out", ...stated };
  if (problem?.code === "verification_required") return { kind: "verification_required", url: problem.url };
  return { kind: "refused", status, ...stated };
}
