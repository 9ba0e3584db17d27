import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Db = DrizzleD1Database;

/** Queries over D1: the database itself in the driver's object, a session of it (with its bookmark) in the Worker. */
export function openDb(database: D1Database | D1DatabaseSession): Db {
  return drizzle(database as D1Database);
}
