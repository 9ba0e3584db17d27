import { Hono, type Context } from "hono";
import {
  type CheckInResult,
  MAX_FIX_ACCURACY_METERS,
  MAX_FIX_AGE_MS,
  checkInParams,
  devicePosition,
  type CheckInResponse,
  type DevicePosition,
  type ImHereResponse,
  type NextBlockResponse,
} from "../../../db/shapes/work/check-in.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import { byArrivedToken, issueArrivedToken } from "../../http/tokens/arrived-token.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { opens } from "../../http/gate/gate.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import { callerObject, loadCallerRecord, recordAhead } from "../caller.ts";

/** The arrived frame's token. */
export const imHereRoutes = new Hono<AppEnv>().use(recordAhead).get("/data", async (c) => {
  const { keys, now } = c.var.deps;
  const { id: driverId } = (await loadCallerRecord(c)).row;
  const { sessionId } = c.var.caller;
  const response: ImHereResponse = {
    token: await issueArrivedToken(keys, { driverId, sessionId, now: now() }),
  };
  return c.json(response, 200);
});

/** The next block, and checking in to it. Both also take the arrived token. */
export const checkInRoutes = new Hono<AppEnv>()
  .get("/next", opens(byArrivedToken), async (c) => {
    const response: NextBlockResponse = await callerObject(c).nextBlock();
    return c.json(response, 200);
  })
  .post(
    "/:id/check-in",
    opens(byArrivedToken),
    validate("param", checkInParams),
    validate("json", devicePosition),
    async (c) => {
      const fix = c.req.valid("json");
      requireUsableFix(fix, c.var.deps.now());
      return c.json(toResponse(c, await callerObject(c).checkIn(c.req.valid("param").id, fix)), 200);
    },
  );

/**
 * Rejects a fix that doesn't show where the driver is now. One from the future means that a clock is wrong.
 * @throws {ApiError} `invalid_request`
 */
function requireUsableFix({ observedAt, accuracyMeters }: DevicePosition, now: EpochMs): void {
  if (Math.abs(now - observedAt) > MAX_FIX_AGE_MS) {
    throw new ApiError("invalid_request", { fields: { observedAt: "invalid" } });
  }
  if (accuracyMeters > MAX_FIX_ACCURACY_METERS) {
    throw new ApiError("invalid_request", { fields: { accuracyMeters: "too_large" } });
  }
}

function toResponse(c: Context<AppEnv>, result: CheckInResult): CheckInResponse {
  if (result.ok) return result.response;
  const { error } = result;
  if (error.code !== "rate_limited" || error.retryAt === null) throw new ApiError(error.code);
  const waitMs = error.retryAt - c.var.deps.now();
  throw new ApiError(error.code, { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) });
}
