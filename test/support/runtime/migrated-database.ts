import { readdirSync, readFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";

const migrations = fileURLToPath(new URL("../../../db/migrations", import.meta.url));

/** Migrated databases as bytes: copying one takes a tenth of the time of migrating another. */
const images = new Map<string, Uint8Array>();

/** A database in memory with the migrations applied; with `upTo`, those before that one only. */
export function migratedDatabase({ upTo = "9999" }: { upTo?: string } = {}): DatabaseSync {
  const database = new DatabaseSync(":memory:");
  const image = images.get(upTo);
  if (image) {
    database.deserialize(image);
    return database;
  }
  applyMigrations(database, { from: "0000", upTo });
  images.set(upTo, database.serialize());
  return database;
}

/** Applies the migrations from one on, up to another. */
export function applyMigrations(
  database: DatabaseSync,
  { from, upTo = "9999" }: { from: string; upTo?: string },
): void {
  const names = readdirSync(migrations).filter((file) => file.endsWith(".sql"));
  for (const name of names.sort()) {
    if (name >= from && name < upTo) database.exec(readFileSync(`${migrations}/${name}`, "utf8"));
  }
}
