import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "../../client.ts";
import { poolRegistrations, poolUsers } from "../../schema/identity.ts";
import { codeTryStatements, readCodeTry, type CodeTry, type CodeTryResult } from "./codes.ts";
import { isNamed, type PoolUser } from "./pool-users.ts";
import type { Registration } from "./registrations.ts";

/**
 * Uses up a try at the code that proves a number, and loads its account with its registrations by some networks, in one trip. A
 * number that is proved has no such code.
 * @param username the phone number or the sub
 */
export async function tryRegistrationCode(
  db: Db,
  username: string,
  { networks, attempt }: { networks: readonly string[]; attempt: CodeTry },
): Promise<{ user: PoolUser | null; registrations: Registration[]; attempt: CodeTryResult }> {
  const named = isNamed(username);
  const userId = sql`(select ${poolUsers.id} from ${poolUsers} where ${named} limit 1)`;
  const [[user], registrations, ...tried] = await db.batch([
    db.select().from(poolUsers).where(named).limit(1),
    db
      .select()
      .from(poolRegistrations)
      .where(and(eq(poolRegistrations.userId, userId), inArray(poolRegistrations.network, [...networks]))),
    ...codeTryStatements(db, { userId, purpose: "sign_up" }, attempt),
  ]);
  return { user: user ?? null, registrations, attempt: readCodeTry(tried, attempt.now) };
}
