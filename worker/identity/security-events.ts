import type { SecurityEvent } from "../../durable/security-log.ts";
import { doLater, type PoolContext } from "./pool-context.ts";

/** Notes what the caller did to an account, or tried to. Nobody waits for it. */
export async function noteEvent(
  pool: PoolContext,
  event: SecurityEvent["event"],
  account: string,
): Promise<void> {
  const { address, device } = pool;
  const { security } = pool;
  if (security) await doLater(pool, () => security.note({ event, account, caller: { address, device } }));
}
