import type { SecurityEvent } from "../../durable/security-log.ts";
import type { PoolContext } from "./pool-context.ts";

/** Notes what the caller did to an account, or tried to. */
export async function noteEvent(
  pool: PoolContext,
  event: SecurityEvent["event"],
  account: string,
): Promise<void> {
  const { address, device } = pool;
  await pool.security?.note({ event, account, caller: { address, device } });
}
