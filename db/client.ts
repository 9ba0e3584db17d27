import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Db = DrizzleD1Database;

/** Drizzle over D1. The driver's object passes the database; the Worker passes a session, which carries the bookmark. */
export function openDb(database: D1Database | D1DatabaseSession): Db {
  return drizzle(database as D1Database);
}
