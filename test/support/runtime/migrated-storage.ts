import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { unstable_readConfig as readConfig, unstable_splitSqlQuery as splitStatements } from "wrangler";
import { quietMiniflare } from "./quiet-miniflare.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const migrations = globSync(`${root}/db/migrations/*.sql`).sort();

/**
 * A folder of local storage in which the migrations are applied. It is made once for these migrations: a copy takes a
 * hundredth of the time.
 */
export async function migratedStorage(): Promise<string> {
  const hash = createHash("sha256");
  for (const file of [...migrations, `${root}/package-lock.json`]) hash.update(readFileSync(file));
  const folder = `${root}/.cache/storage-${hash.digest("hex").slice(0, 16)}`;
  if (existsSync(folder)) return folder;
  mkdirSync(`${root}/.cache`, { recursive: true });
  const aside = mkdtempSync(`${folder}-`);
  const miniflare = openDatabase(aside);
  const database = await miniflare.getD1Database("DB");
  for (const file of migrations) {
    const statements = splitStatements(readFileSync(file, "utf8"));
    await database.batch(statements.map((statement) => database.prepare(statement)));
  }
  await miniflare.dispose();
  try {
    renameSync(aside, folder);
  } catch {
    // Another program was first.
    rmSync(aside, { recursive: true, force: true });
  }
  return folder;
}

/** Vitest's global setup. */
export async function setup(): Promise<void> {
  await migratedStorage();
}

/** The product's database without the product. */
function openDatabase(state: string): Miniflare {
  quietMiniflare();
  const [database] = readConfig({ config: `${root}/wrangler.toml` }).d1_databases;
  if (database?.database_id === undefined) throw new Error("wrangler.toml names no database");
  return new Miniflare(
    convertV4MiniflareOptions({
      modules: true,
      script: "export default {}",
      d1Databases: { DB: database.database_id },
      resourcePersistencePath: state,
    }),
  );
}
