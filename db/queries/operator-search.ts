import { and, asc, desc, eq, gte, like, lt, or, sql, type SQL } from "drizzle-orm";
import type { Db } from "../client.ts";
import { users } from "../schema.ts";

/** The last letter that a text can hold: whatever begins with a prefix sorts before prefix and this. */
const LAST = "\u{10FFFF}";

/** Drivers by a number in E.164, their account's or the one that they want texts at. */
export function findByNumber(db: Db, number: string, limit: number) {
  return select(db, or(eq(users.phoneNumber, number), eq(users.preferredPhoneNumber, number)), limit);
}

/** Drivers whose number ends with these digits, four at least; the newest first. */
export function findByEnd(db: Db, digits: string, limit: number) {
  const end = sql`substr(${users.phoneNumber}, -4) = ${digits.slice(-4)}`;
  return select(db, and(end, like(users.phoneNumber, `%${digits}`)), limit);
}

/** Drivers whose name begins so, whatever the case of its letters. */
export function findByName(db: Db, prefix: string, limit: number) {
  const name = sql`${users.name} COLLATE NOCASE`;
  return select(db, and(gte(name, prefix), lt(name, prefix + LAST)), limit, asc(name));
}

/** Drivers whose e-mail address at the platform begins so. */
export function findByEmail(db: Db, prefix: string, limit: number) {
  const email = sql`${users.flexEmail} COLLATE NOCASE`;
  return select(db, and(gte(email, prefix), lt(email, prefix + LAST)), limit, asc(email));
}

function select(db: Db, where: SQL | undefined, limit: number, order: SQL = desc(users.createdAt)) {
  return db
    .select({
      id: users.id,
      name: users.name,
      phoneNumber: users.phoneNumber,
      flexEmail: users.flexEmail,
      humanRegion: users.humanRegion,
      isLinked: users.proxyInstalled,
      isSwitchedOn: users.switchedOn,
      createdAt: users.createdAt,
    })
    .from(users)
    .where(where)
    .orderBy(order)
    .limit(limit);
}
