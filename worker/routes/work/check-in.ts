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
import { type EpochMs, MINUTE_MS } from "../../../db/shapes/units.ts";
import type { Keys } from "../../../durable/runtime/keys.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { opens, type Opening } from "../../http/gate/gate.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { validate } from "../../http/validate.ts";
import {
  isIssuerLive,
  issueShortToken,
  verifyShortToken,
  type ShortToken,
  type ShortTokenUse,
} from "../../http/tokens/short-token.ts";
import { callerObject, loadCallerRecord, recordAhead } from "../caller.ts";

const TOKEN_LIFETIME_MS = 10 * MINUTE_MS;
const IM_HERE: ShortTokenUse = { purpose: "im_here", audience: "im-here" };

/** Issues a ten-minute token for the arrived frame, valid for its two calls and nothing else. */
export function issueArrivedToken(
  keys: Keys,
  { driverId, sessionId, now }: Pick<ShortToken, "driverId" | "sessionId"> & { now: EpochMs },
): Promise<string> {
  return issueShortToken(keys, IM_HERE, { driverId, sessionId, expiresAt: now + TOKEN_LIFETIME_MS });
}

/** `Authorization: ImHere`: the caller, by an arrived token of a session that hasn't ended. */
export const byArrivedToken: Opening = async (c) => {
  const [scheme, token] = (c.req.header("authorization") ?? "").split(" ");
  if (scheme?.toLowerCase() !== "imhere" || !token) return null;
  const { deps, userPool } = c.var;
  const verified = await verifyShortToken(deps.keys, IM_HERE, { token, now: deps.now() });
  if (!verified || !(await isIssuerLive(userPool, verified))) throw new ApiError("unauthenticated");
  return { driverId: verified.driverId, phoneNumber: null, sessionId: verified.sessionId, signedInAt: null };
};

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
