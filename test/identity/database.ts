import { env } from "cloudflare:workers";
import * as z from "zod";

const bindings = z.object({
  DB: z.custom<D1Database>(),
  MIGRATIONS: z.array(z.object({ name: z.string(), queries: z.array(z.string()) })),
});

/** The database of this test file, and the migrations that `wrangler d1 migrations apply` would run, in order. */
export const { DB: d1, MIGRATIONS: migrations } = bindings.parse(env);

let isMigrated = false;

/** Migrates the database once per file, and empties the tables of pool, texts and keys. */
export async function resetDatabase(): Promise<void> {
  if (!isMigrated) await recreateDatabase(migrations);
  isMigrated = true;
  const tables = (await tableNames()).filter((name) =>
    /^(pool_|text_|service_alerts|master_|guesses|security_)/.test(name),
  );
  await d1.batch(tables.map((name) => d1.prepare(`DELETE FROM ${name}`)));
}

/** Drops everything and applies only these migrations. */
export async function recreateDatabase(applied: typeof migrations): Promise<void> {
  isMigrated = false;
  for (const name of await tableNames()) await d1.prepare(`DROP TABLE ${name}`).run();
  await migrate(applied);
}

export async function migrate(applied: typeof migrations): Promise<void> {
  await d1.batch(applied.flatMap(({ queries }) => queries).map((query) => d1.prepare(query)));
}

async function tableNames(): Promise<string[]> {
  const { results } = await d1
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table'")
    .all<{ name: string }>();
  return results.map(({ name }) => name).filter((name) => !/^(sqlite_|_cf_)/.test(name));
}
