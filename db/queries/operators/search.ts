import { and, asc, desc, eq, gte, like, lt, or, sql, type SQL } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { nameWords } from "../../shapes/name-words.ts";
import type { Db } from "../../client.ts";
import { driverNameWords, users } from "../../schema/drivers.ts";

/** The last letter that a text can hold: whatever begins with a prefix sorts before prefix and this. */
const LAST = "\u{10FFFF}";

const another = alias(driverNameWords, "another");

const columns = {
  id: users.id,
  name: users.name,
  phoneNumber: users.phoneNumber,
  flexEmail: users.flexEmail,
  humanRegion: users.humanRegion,
  isLinked: users.proxyInstalled,
  isSwitchedOn: users.switchedOn,
  createdAt: users.createdAt,
};

/** Drivers by a number in E.164, their account's or the one that they want texts at. */
export function findByNumber(db: Db, number: string, limit: number) {
  return select(db, or(eq(users.phoneNumber, number), eq(users.preferredPhoneNumber, number)), limit);
}

/** Drivers whose number ends with these digits, four at least; the newest first. */
export function findByEnd(db: Db, digits: string, limit: number) {
  const end = sql`substr(${users.phoneNumber}, -4) = ${digits.slice(-4)}`;
  return select(db, and(end, like(users.phoneNumber, `%${digits}`)), limit);
}

/** Drivers in whose name a word begins so, for each word that was typed, whatever its case and accents. */
export async function findByName(db: Db, typed: string, limit: number) {
  // The longest narrows down most.
  const [first, ...others] = nameWords(typed).toSorted((a, b) => b.length - a.length);
  if (first === undefined) return [];
  const { word, driverId } = driverNameWords;
  const has = (prefix: string, before: SQL = sql`${prefix + LAST}`) =>
    sql`EXISTS (SELECT 1 FROM ${driverNameWords} ${another}
      WHERE ${another.driverId} = ${driverId} AND ${another.word} >= ${prefix} AND ${another.word} < ${before})`;
  return db
    .select(columns)
    .from(driverNameWords)
    .innerJoin(users, eq(users.id, driverId))
    .where(
      and(
        gte(word, first),
        lt(word, first + LAST),
        // Each driver once, by the first of the words that begin so.
        sql`NOT ${has(first, sql`${word}`)}`,
        ...others.map((other) => has(other)),
      ),
    )
    .orderBy(asc(word), asc(driverId))
    .limit(limit);
}

/** Drivers whose e-mail address at the platform begins so. */
export function findByEmail(db: Db, prefix: string, limit: number) {
  const email = sql`${users.flexEmail} COLLATE NOCASE`;
  return select(db, and(gte(email, prefix), lt(email, prefix + LAST)), limit, asc(email));
}

function select(db: Db, where: SQL | undefined, limit: number, order: SQL = desc(users.createdAt)) {
  return db.select(columns).from(users).where(where).orderBy(order).limit(limit);
}
