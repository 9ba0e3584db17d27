import { createHash, createHmac } from "node:crypto";
import { existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Store } from "../../durable/driver/storage/store.ts";
import { openStore } from "../support/runtime/node-store.ts";

/** Where the dev server keeps the objects of the class `Driver` of the Worker `jornada`. */
const UNIQUE_KEY = "jornada-Driver";

/** The file of the object with a name, in the local state of the dev server. */
export function objectFile(stateFolder: string, name: string): string {
  return `${stateFolder}/v3/do/${UNIQUE_KEY}/${objectId(name)}.sqlite`;
}

/**
 * Writes the storage of an object that was never started, by the product's own `Store`. The rows are there when the
 * object starts, as after a restart. Does nothing if there is such an object: a file that is open is never touched.
 * @returns whether it was written
 */
export function writeObjectStorage(file: string, write: (store: Store) => void, now: () => number): boolean {
  if (existsSync(file)) return false;
  mkdirSync(dirname(file), { recursive: true });
  const unfinished = `${file}.unfinished`;
  rmSync(unfinished, { force: true });
  withStore(unfinished, write, now);
  renameSync(unfinished, file);
  return true;
}

/** The storage of an object that doesn't run. */
export function readObjectStorage<Result>(
  file: string,
  read: (store: Store) => Result,
  now: () => number,
): Result {
  return withStore(file, read, now);
}

function withStore<Result>(file: string, use: (store: Store) => Result, now: () => number): Result {
  const database = new DatabaseSync(file);
  const store = openStore(database, now);
  database.exec("BEGIN");
  const result = use(store);
  database.exec("COMMIT");
  database.close();
  return result;
}

/** How the runtime derives an object's id from its name: 16 bytes of the name's HMAC, and 16 of theirs. */
function objectId(name: string): string {
  const key = createHash("sha256").update(UNIQUE_KEY).digest();
  const hmac = (data: string | Buffer) => createHmac("sha256", key).update(data).digest().subarray(0, 16);
  const base = hmac(name);
  return Buffer.concat([base, hmac(base)]).toString("hex");
}
