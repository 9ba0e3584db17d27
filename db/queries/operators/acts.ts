import { and, asc, desc, eq, gt, inArray, lt, or, sql, type SQL } from "drizzle-orm";
import type { BatchItem } from "drizzle-orm/batch";
import type { ActFacts, ActKind, OperatorRole } from "../../shapes/operators.ts";
import { DAY_MS, type Cents, type DriverId, type EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { patchedJson } from "../../expressions.ts";
import { insertWhere } from "../../insert-where.ts";
import { operatorActs } from "../../schema/operators.ts";

export type ActRow = typeof operatorActs.$inferSelect;

/** An act as it is about to be written. Where the database alone knows how things stand, the facts are an expression. */
export type NewAct = {
  id: string;
  operator: string;
  role: OperatorRole;
  act: ActKind;
  driverId: DriverId | null;
  what: ActFacts;
  reason: string;
  before: ActFacts | SQL;
  after: ActFacts | SQL;
  worthCents: Cents;
  at: EpochMs;
};

/** The most that acts of support are worth in a day, for one driver and by one operator, and how often one does the others. */
export type ActLimits = {
  driverCents: Cents;
  operatorCents: Cents;
  looks: number;
  exports: number;
  numbers: number;
  access: number;
};

/** Acts that shut a driver out or let guesses in: counted together. */
export const ACCESS_ACTS: ReadonlySet<ActKind> = new Set([
  "sign_out",
  "unlink",
  "disable",
  "end_renewal",
  "unlock",
]);

/** `done`: written now, with its effects. `repeated`: it was written before. `refused`: nothing was. */
export type ActOutcome =
  | { status: "done"; act: ActRow }
  | { status: "repeated"; act: ActRow }
  /** Over the limit of support, or the condition did not hold. */
  | { status: "refused"; isOverLimit: boolean };

/**
 * Writes an act and its effects in one batch; the only way in which an act is written.
 * @param condition must hold as the act is written
 * @param effects statements that must do nothing unless the expression that they are given holds: this act was written now
 * @param limits what support may do in a day; null for no limit
 */
export async function writeAct(
  db: Db,
  act: NewAct,
  {
    condition,
    effects,
    limits,
  }: {
    condition: SQL;
    effects: (isWritten: SQL) => readonly BatchItem<"sqlite">[];
    limits: ActLimits | null;
  },
): Promise<ActOutcome> {
  const attempt = crypto.randomUUID();
  const isWritten = sql`EXISTS (SELECT 1 FROM ${operatorActs}
    WHERE ${operatorActs.id} = ${act.id} AND ${operatorActs.attempt} = ${attempt})`;
  const isWithin = limits === null ? sql`1` : isWithinLimits(act, limits);
  const insert = insertWhere(db, operatorActs, { ...act, attempt }, sql`(${condition}) AND ${isWithin}`)
    .onConflictDoNothing()
    .returning();
  const [written] = await db.batch([insert, ...effects(isWritten)]);
  const [row] = written;
  if (row) return { status: "done", act: row };
  const known = await loadAct(db, act.id);
  if (known) return { status: "repeated", act: known };
  const [counted] = await db.select({ isWithin: sql<number>`${isWithin}` }).from(sql`(SELECT 1)`);
  return { status: "refused", isOverLimit: counted?.isWithin === 0 };
}

/** The condition of an act that depends on nothing. */
export const always = sql`1`;

/** That no owner said yes to an act: the limits are about what support does by itself, as a condition. */
const isUnapproved = sql`${operatorActs.what} ->> 'approvedBy' IS NULL`;

/** The worth of support's acts for a driver in the last day. */
function spentBySupport({ driverId, at }: Pick<NewAct, "driverId" | "at">): SQL {
  return sql`(SELECT coalesce(sum(${operatorActs.worthCents}), 0) FROM ${operatorActs}
    WHERE ${operatorActs.driverId} IS ${driverId} AND ${operatorActs.at} > ${at - DAY_MS} AND ${operatorActs.role} = 'support'
    AND ${isUnapproved})`;
}

/** A sum over the acts of one operator of support, for all drivers in the last day. */
function ofOperator(what: SQL, { operator, at }: Pick<NewAct, "operator" | "at">): SQL {
  return sql`(SELECT coalesce(sum(${what}), 0) FROM ${operatorActs}
    WHERE ${operatorActs.operator} = ${operator} AND ${operatorActs.at} > ${at - DAY_MS} AND ${isUnapproved})`;
}

function isWithinLimits(act: NewAct, limits: ActLimits): SQL {
  const { driverCents, operatorCents } = limits;
  const { worthCents } = act;
  const isBelow = (limit: number, kinds: Iterable<ActKind> = [act.act]) =>
    sql`(${ofOperator(inArray(operatorActs.act, [...kinds]), act)} < ${limit})`;
  if (act.act === "show_phone") return isBelow(limits.looks);
  if (act.act === "export") return isBelow(limits.exports);
  if (act.act === "change_number") return isBelow(limits.numbers);
  if (ACCESS_ACTS.has(act.act)) return isBelow(limits.access, ACCESS_ACTS);
  const moved = ofOperator(sql`${operatorActs.worthCents}`, act);
  return sql`(${spentBySupport(act)} + ${worthCents} <= ${driverCents} AND ${moved} + ${worthCents} <= ${operatorCents})`;
}

export async function loadAct(db: Db, id: string): Promise<ActRow | null> {
  const [row] = await db.select().from(operatorActs).where(eq(operatorActs.id, id));
  return row ?? null;
}

/** A place in the log: the instant and the id of the last act on the page before. */
export type ActCursor = { at: EpochMs; id: string };

/** A page of the log, newest first: of all acts, or of those that concern a driver. */
export function listActs(
  db: Db,
  { driverId, before, limit }: { driverId: DriverId | null; before: ActCursor | null; limit: number },
): Promise<ActRow[]> {
  const { at, id } = operatorActs;
  const isBefore = before && or(lt(at, before.at), and(eq(at, before.at), lt(id, before.id)));
  return db
    .select()
    .from(operatorActs)
    .where(
      and(
        driverId === null ? gt(at, 0) : eq(operatorActs.driverId, driverId),
        before ? sql`${at} <= ${before.at}` : undefined,
        isBefore ?? undefined,
      ),
    )
    .orderBy(desc(at), desc(id))
    .limit(limit);
}

/** The query of what operators did to a driver, for their export: the role of who did it, and no operator's name. */
export function actExportQuery(db: Db, driverId: DriverId) {
  const { at, act, what, reason, before, after, role } = operatorActs;
  // Facts that are damaged have nothing to show, and are no reason to fail.
  const nameless = patchedJson(what, { defaults: {}, patch: { approvedBy: null, askedBy: null } });
  return db
    .select({ at, act, what: nameless.mapWith(what).as("what"), reason, before, after, by: role })
    .from(operatorActs)
    .where(eq(operatorActs.driverId, driverId))
    .orderBy(asc(at));
}

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
      worthCents: sql<number>`sum(CASE WHEN ${isUnapproved} THEN ${worthCents} ELSE 0 END)`,
      isApproved: sql<0 | 1>`NOT ${isUnapproved}`,
      latest: sql<number>`max(${at})`,
    })
    .from(operatorActs)
    .where(gt(at, since))
    .groupBy(operator, role, act, asked, isUnapproved);
}
