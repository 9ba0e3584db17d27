import { drizzle, type DrizzleD1Database } from "drizzle-orm/d1";

export type Db = DrizzleD1Database;

/**
 * Queries over D1: the database itself in the driver's object, a session of it (with its bookmark) in the Worker.
 * @param onStatement called with each statement that is prepared, which is once for each that runs
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
