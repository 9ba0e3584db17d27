import type { DatabaseSync, SQLInputValue, StatementSync } from "node:sqlite";
import { Store } from "../../../durable/driver/storage/store.ts";

/** The product's own store over a database of Node, in a deployment that sends pushes by this key. */
export function openStore(
  database: DatabaseSync,
  now: () => number = Date.now,
  vapidKey: string | null = null,
): Store {
  return new Store(storageOf(database), { log: () => {}, now, objectName: null, vapidKey });
}

type ObjectStorage = ConstructorParameters<typeof Store>[0];

/** The part of an object's storage that the `Store` calls. */
function storageOf(database: DatabaseSync): ObjectStorage {
  const statements = new Map<string, StatementSync>();
  const sql = {
    exec(query: string, ...bindings: SQLInputValue[]) {
      const statement = statements.get(query) ?? database.prepare(query);
      statements.set(query, statement);
      const rows = statement.all(...bindings);
      return { toArray: () => rows, one: () => rows[0], [Symbol.iterator]: () => rows.values() };
    },
  };
  return { sql, transactionSync: <Answer>(work: () => Answer): Answer => work() } as unknown as ObjectStorage;
}
