import { gt, sql } from "drizzle-orm";
import type { EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { operatorActs } from "../../schema/operators.ts";

/** The acts of each operator since an instant, by kind, requests by the act that they ask for. */
export function countActsSince(db: Db, since: EpochMs) {
  const { operator, role, act, what, worthCents, at } = operatorActs;
  const asked = sql<string | null>`${what} ->> 'asked'`;
  return db
    .select({
      operator,
      role,
      act,
      asked,
      acts: sql<number>`count(*)`,
      worthCents: sql<number>`sum(${worthCents})`,
      latest: sql<number>`max(${at})`,
    })
    .from(operatorActs)
    .where(gt(at, since))
    .groupBy(operator, role, act, asked);
}
