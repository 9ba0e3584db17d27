import * as z from "zod/mini";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import { quote } from "./quote.ts";
import type { Query } from "./reconcile-span.ts";

const ids = z.array(z.object({ id: z.string() }));

/**
 * Shuts a driver out of the pool, or lets them in again. Sign-ins are refused at once, and tokens as soon as no isolate has
 * their session in its cache. The change is left to be followed, as one that is a minute old: the next run of the cron
 * closes the dashboards and stops the search. The driver's own switch stays as it is.
 * @returns false if nobody has this number
 */
export async function setDriverEnabled(
  query: Query,
  { phoneNumber, isEnabled, now }: { phoneNumber: string; isEnabled: boolean; now: EpochMs },
): Promise<boolean> {
  const found = await query(`SELECT id FROM pool_users WHERE phone_number = ${quote(phoneNumber)}`);
  const [driver] = z.parse(ids, found);
  if (!driver) return false;
  const id = quote(driver.id);
  // In one, and the change to follow first: whatever else is kept of them is followed.
  await query(
    [
      `INSERT INTO account_changes (user_id, revision, is_deleted, changed_at) VALUES (${id}, 1, 0, ${now - MINUTE_MS})
      ON CONFLICT (user_id) DO UPDATE SET revision = revision + 1, changed_at = excluded.changed_at`,
      `UPDATE pool_users SET enabled = ${isEnabled ? 1 : 0} WHERE id = ${id}`,
      `UPDATE users SET revision = revision + 1 WHERE id = ${id}`,
    ].join(";\n"),
  );
  return true;
}
