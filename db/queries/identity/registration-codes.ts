import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { poolRegistrations, poolUsers } from "../../schema/identity.ts";
import { codeTryStatements, readCodeTry, type CodeTry, type CodeTryResult } from "./codes.ts";
import { isNamed, type PoolUser } from "./pool-users.ts";
import type { Registration } from "./registrations.ts";

/**
 * Uses up a try at the code that proves a number, and loads its account with its registration by a network, in one trip. A
 * number that is proved has no such code.
 * @param username the phone number or the sub
 */
export async function tryRegistrationCode(
  db: Db,
  username: string,
  { network, attempt }: { network: string; attempt: CodeTry },
): Promise<{ user: PoolUser | null; registration: Registration | null; attempt: CodeTryResult }> {
  const named = isNamed(username);
  const userId = sql`(select ${poolUsers.id} from ${poolUsers} where ${named} limit 1)`;
  const [[user], [registration], ...tried] = await db.batch([
    db.select().from(poolUsers).where(named).limit(1),
    db
      .select()
      .from(poolRegistrations)
      .where(and(eq(poolRegistrations.userId, userId), eq(poolRegistrations.network, network))),
    ...codeTryStatements(db, { userId, purpose: "sign_up" }, attempt),
  ]);
  return { user: user ?? null, registration: registration ?? null, attempt: readCodeTry(tried, attempt.now) };
}
