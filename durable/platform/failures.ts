import type { PlatformFailure } from "../engine/types.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import { parseRetryAfter } from "./headers.ts";
import type { PlatformProblem } from "./parse.ts";

/**
 * What a refusal means to any call: by its code where that is known, else by its status. `problem`
 * is null where the body was not problem details. A code in a 5xx says nothing: the effect may
 * have happened all the same.
 */
export function toPlatformFailure(
  { status, headers }: { status: number; headers: Headers },
  { problem, now }: { problem: PlatformProblem | null; now: EpochMs },
): PlatformFailure {
  if (status >= 500) return { kind: "unreachable" };
  if (status < 400) return { kind: "unreadable" };
  if (status === 429 || problem?.code === "rate_limited") {
    return { kind: "rate_limited", retryAt: parseRetryAfter(headers, now) };
  }
  if (status === 401) return { kind: "signed_out" };
  if (problem?.code === "verification_required") return { kind: "verification_required", url: problem.url };
  return { kind: "refused", status };
}
