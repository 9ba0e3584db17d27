import { loadDatabaseSize } from "../../db/queries/fleet/database.ts";
import type { Deps } from "../../durable/deps.ts";

/** A database of D1 has at most 10 GB: the rest lasts for months (`npm run bench -- scale`). */
const NEARLY_FULL_BYTES = 6_000_000_000;
/** An answer to the simplest query that takes so long is no accident of the network. */
const SLOW_MS = 2_000;

/** Whether the database fills up, or hardly answers. */
export async function findDatabaseTrouble({
  db,
  now,
}: Pick<Deps, "db" | "now">): Promise<"full" | "slow" | null> {
  const askedAt = now();
  const size = (await loadDatabaseSize(db)) ?? 0;
  if (size >= NEARLY_FULL_BYTES) return "full";
  return now() - askedAt >= SLOW_MS ? "slow" : null;
}
