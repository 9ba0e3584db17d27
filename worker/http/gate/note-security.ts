import type { Context } from "hono";
import type { SecurityEvent } from "../../../durable/security-log.ts";
import { parseDevice } from "../../identity/device.ts";
import type { AppEnv } from "../app-env.ts";
import { afterResponse } from "../request-scope.ts";

/** Notes what a driver did, or tried to, which nobody waits for. */
export async function noteSecurity(
  c: Context<AppEnv>,
  event: SecurityEvent["event"],
  { account, facts }: Partial<Pick<SecurityEvent, "account" | "facts">> = {},
): Promise<void> {
  const address = c.req.header("cf-connecting-ip") ?? null;
  const device = parseDevice(c.req.header("user-agent") ?? null, c.req.raw.cf?.country);
  const caller = { address, device };
  const by = account ?? c.get("caller")?.driverId ?? null;
  const noted = { event, account: by, caller, ...(facts ? { facts } : {}) };
  await afterResponse(() => c.var.deps.security.note(noted));
}
