import type { Db } from "../client.ts";
import { masterKeyUses } from "../keys-schema.ts";

/** What was sealed under a master key when it was last counted. */
export type MasterKeyUse = typeof masterKeyUses.$inferSelect;

/** What is sealed under which master key. */
export function loadKeyUses(db: Db): Promise<MasterKeyUse[]> {
  return db.select().from(masterKeyUses);
}
