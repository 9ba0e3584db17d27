import { Refusal } from "../problem.ts";
import type { EpochMs, State } from "../state.ts";

/** Uses one call of the driver's quota and returns the RateLimit headers. @throws {Refusal} rate_limited. */
export function spendQuota(state: State, driverId: string, now: EpochMs): Record<string, string> {
  const { limit, windowSeconds } = state.settings.get().quotas;
  const known = state.meters.get(driverId);
  const elapsed = known ? now - known.startedAt : Infinity;
  const meter =
    known && elapsed >= 0 && elapsed < windowSeconds * 1000 ? known : { startedAt: now, spent: 0 };
  const reset = Math.max(1, Math.ceil((meter.startedAt + windowSeconds * 1000 - now) / 1000));
  const spent = Math.min(meter.spent + 1, limit);
  state.meters.set(driverId, { startedAt: meter.startedAt, spent });
  const headers = {
    "ratelimit-limit": String(limit),
    "ratelimit-remaining": String(limit - spent),
    "ratelimit-reset": String(reset),
  };
  if (meter.spent < limit) return headers;
  throw new Refusal(429, "rate_limited", {}, { ...headers, "retry-after": String(reset) });
}
