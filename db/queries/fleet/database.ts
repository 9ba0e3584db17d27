import { sql } from "drizzle-orm";
import type { Db } from "../../client.ts";

/** Asks the database the simplest query. @returns its size, which D1 says with each answer; null if it didn't */
export async function loadDatabaseSize(db: Db): Promise<number | null> {
  const { meta } = await db.run(sql`select 1`);
  return meta.size_after ?? null;
}
