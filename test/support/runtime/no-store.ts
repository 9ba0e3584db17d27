import { sql } from "drizzle-orm";
import type { Db } from "../../../db/client.ts";
import type { CodeStore } from "../../../db/queries/texts/limits.ts";

/** Stores nothing of a code, and says that it did if its text may be sent. */
export function noStore(db: Db): CodeStore {
  return {
    statements: (isOpen) => [
      db
        .select({ hash: sql<string>`'hash'` })
        .from(sql`(SELECT 1)`)
        .where(isOpen),
    ],
    isStored: sql`true`,
  };
}
