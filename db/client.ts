import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Db = DrizzleD1Database;

/**
 * Drizzle over D1. The driver's object passes the database; the Worker passes a session, which carries the bookmark.
 * @param onStatement called for each statement that is prepared, which is once for each that runs
 */
export function openDb(database: D1Database | D1DatabaseSession, onStatement?: () => void): Db {
  const counted = onStatement ? callOnPrepare(database, onStatement) : database;
  return drizzle(counted as D1Database);
}

function callOnPrepare(
  database: D1Database | D1DatabaseSession,
  onStatement: () => void,
): Pick<D1Database, "prepare" | "batch"> {
  return {
    prepare: (query) => {
      onStatement();
      return database.prepare(query);
    },
    batch: (statements) => database.batch(statements),
  };
}
