import { Hono, type Context } from "hono";
import type { LinkResult, SetupResponse } from "../../../db/shapes/work/linking.ts";
import { setupLogin, setupOtp, type ChecksResponse } from "../../contract/work/setup.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { freshSignIn } from "../../http/gate/fresh-sign-in.ts";
import { afterResponse } from "../../http/request-scope.ts";
import { notifyOwner } from "../../accounts/account-notices.ts";
import { noteSecurity } from "../../http/gate/note-security.ts";
import { sealedJson } from "../../http/sealed-body.ts";
import { callerObject, loadCallerRecord, recordAhead } from "../caller.ts";
import { toDriverOwner, type DriverRecord } from "../../../db/queries/accounts/drivers.ts";
import { forgetLinkTries, tryToLink } from "./link-tries.ts";
import type { Deps } from "../../../durable/deps.ts";
import { describeError } from "../../../durable/runtime/describe-error.ts";
import type { DriverId, DurationMs } from "../../../db/shapes/units.ts";

/** Linking the driver's platform account, step by step. */
export const setupRoutes = new Hono<AppEnv>()
  .use(recordAhead)
  .get("/", async (c) => {
    const record = await loadCallerRecord(c);
    return c.json(await afterNoTry(c, record, await callerObject(c).linkStatus(toDriverOwner(record))), 200);
  })
  .post("/login", sealedJson("POST /flex/v1/setup/login", setupLogin), async (c) => {
    const credentials = c.req.valid("json");
    const record = await loadCallerRecord(c);
    const owner = toDriverOwner(record);
    const result = await tryToLink(c, linkTryOf(c, record, credentials.email), () =>
      callerObject(c).startLink(owner, credentials),
    );
    return c.json(await toResponse(c, result), 200);
  })
  .post("/otp", sealedJson("POST /flex/v1/setup/otp", setupOtp), async (c) => {
    const { code } = c.req.valid("json");
    const record = await loadCallerRecord(c);
    const owner = toDriverOwner(record);
    const object = callerObject(c);
    const email = await object.linkingEmail();
    const submit = () => object.submitLinkCode(owner, code);
    // Without a linking in progress there is nothing to try.
    if (email === null) return c.json(await afterNoTry(c, record, await submit()), 200);
    return c.json(await toResponse(c, await tryToLink(c, linkTryOf(c, record, email), submit)), 200);
  })
  .post("/otp/resend", async (c) => {
    const record = await loadCallerRecord(c);
    const result = await callerObject(c).resendLinkCode(toDriverOwner(record));
    return c.json(await afterNoTry(c, record, result), 200);
  })
  .delete("/", freshSignIn, async (c) => {
    const record = await loadCallerRecord(c);
    const objects = await c.var.deps.objectsOf(c.var.caller.driverId);
    await Promise.all(objects.map((object) => object.unlink()));
    await noteSecurity(c, "unlinked");
    if (record.row.proxyInstalled)
      await afterResponse(() => notifyOwner(c.var.deps, record, "text_unlinked"));
    return c.body(null, 204);
  });

function linkTryOf(c: Context<AppEnv>, { row }: DriverRecord, email: string) {
  return {
    driverId: row.id,
    email,
    isOwn: row.flexEmail?.toLowerCase() === email.toLowerCase(),
    now: c.var.deps.now(),
  };
}

/** The response of a step that counts as no try, and may complete the linking all the same. */
async function afterNoTry(
  c: Context<AppEnv>,
  record: DriverRecord,
  result: LinkResult,
): Promise<SetupResponse> {
  const linkedEmail = result.ok ? result.linkedEmail : undefined;
  if (linkedEmail !== undefined) await forgetLinkTries(c.var.deps, linkTryOf(c, record, linkedEmail));
  return toResponse(c, result);
}

async function toResponse(c: Context<AppEnv>, result: LinkResult): Promise<SetupResponse> {
  if (result.ok) {
    const { linkedEmail, response } = result;
    if (linkedEmail !== undefined) {
      await noteSecurity(c, "linked");
      await afterResponse(() => wakeFormerObjects(c.var.deps, c.var.caller.driverId));
    }
    return response;
  }
  const { error } = result;
  switch (error.code) {
    case "link_code_wrong":
      throw new ApiError(error.code, error.attemptsLeft === null ? {} : { attemptsLeft: error.attemptsLeft });
    case "rate_limited":
    case "link_locked": {
      const waitMs = error.retryAt === null ? null : error.retryAt - c.var.deps.now();
      throw new ApiError(
        error.code,
        waitMs === null ? {} : { retryAfter: Math.max(1, Math.ceil(waitMs / 1000)) },
      );
    }
    case "verification_required":
      throw new ApiError(error.code, error.url == null ? {} : { verificationUrl: error.url });
    default:
      throw new ApiError(error.code);
  }
}

/** Within what the runtime allows after a response. */
const WAITS_MS: readonly DurationMs[] = [0, 2_000, 10_000];

/**
 * Lets objects of a former region look whether the driver has linked another since: until one does, two look for blocks of one
 * driver. An object that no try reaches asks within the hour.
 */
export async function wakeFormerObjects(
  deps: Pick<Deps, "objectsOf" | "sleep" | "log">,
  driverId: DriverId,
): Promise<void> {
  for (const waitMs of WAITS_MS) {
    await deps.sleep(waitMs);
    try {
      const [, ...former] = await deps.objectsOf(driverId);
      await Promise.all(former.map((object) => object.wake()));
      return;
    } catch (error) {
      deps.log("warn", "driver.left.unwoken", { driverId, ...describeError(error) });
    }
  }
}

/** The list of everything that a capture needs. */
export const checkRoutes = new Hono<AppEnv>().use(recordAhead).get("/", async (c) => {
  const record = await loadCallerRecord(c);
  const { row, profile } = record;
  const { preferredPhoneNumber: preferred, preferredPhoneVerified: isProved, phoneNumber } = row;
  const isNumberPending = preferred !== null && preferred !== phoneNumber && !isProved;
  const checks = await callerObject(c).checks(toDriverOwner(record), { profile, isNumberPending });
  return c.json({ checks } satisfies ChecksResponse, 200);
});
