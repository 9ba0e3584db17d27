import * as z from "zod/mini";
import type { PlanForSale } from "../../db/shapes/plans.ts";
import { drawWinners, ticketOf, type RafflePrize } from "../../db/shapes/raffle.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Query } from "./reconcile-span.ts";
import { makeSeed, openSeed, sealSeed, sha256Hex } from "./sealed-seed.ts";

/** A statement has a length that D1 takes. */
const TICKETS_A_STATEMENT = 400;

/** A raffle as an operator announces it. */
export type Promotion = {
  id: string;
  plan: PlanForSale;
  startsAt: EpochMs;
  endsAt: EpochMs;
  winners: number;
  prize: RafflePrize | null;
};

/**
 * Writes a raffle with a seed that nobody has seen, sealed with the passphrase, and the seed's fingerprint.
 * @returns the fingerprint, which is public from now on
 */
export async function makePromotion(
  query: Query,
  { id, plan, startsAt, endsAt, winners, prize }: Promotion,
  passphrase: string,
): Promise<string> {
  const seed = makeSeed();
  const seedHash = sha256Hex(seed);
  const values = [
    quote(id),
    quote(plan),
    startsAt,
    endsAt,
    winners,
    quote(seedHash),
    quote(sealSeed(seed, { passphrase, id })),
    prize === null ? "NULL" : quote(JSON.stringify(prize)),
  ];
  await query(
    `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, sealed_seed, prize) VALUES (${values.join(", ")})`,
  );
  return seedHash;
}

const promotionRow = z.object({
  ends_at: z.number(),
  winners: z.number(),
  seed_hash: z.string(),
  seed: z.nullable(z.string()),
  sealed_seed: z.nullable(z.string()),
});
const entryRows = z.array(z.object({ payment_id: z.string(), driver_id: z.string() }));

/** Where the seed is: sealed in the row, or kept by the operator. */
export type SeedSource = { passphrase: string } | { seed: string };

export type DrawError = "unknown" | "not_over" | "drawn" | "wrong_passphrase" | "wrong_seed";
export type DrawResult =
  | { ok: true; entries: number; winners: { entry: string; driverId: string }[] }
  | { ok: false; error: DrawError };

/**
 * Draws a raffle that is over. Its entries are closed first, so that no payment and no refund changes them under the
 * draw; entries of payments that were given back are out. Then the tickets are written, and last the seed, which
 * publishes the draw, with the news for the winners. Until then it can be repeated, and draws the same.
 */
export async function drawRaffle(
  query: Query,
  { id, source, now }: { id: string; source: SeedSource; now: EpochMs },
): Promise<DrawResult> {
  const [promotion] = z.parse(
    z.array(promotionRow),
    await query(
      `SELECT ends_at, winners, seed_hash, seed, sealed_seed FROM promotions WHERE id = ${quote(id)}`,
    ),
  );
  if (!promotion) return { ok: false, error: "unknown" };
  if (promotion.seed !== null) return { ok: false, error: "drawn" };
  if (promotion.ends_at > now) return { ok: false, error: "not_over" };
  const seed = "seed" in source ? source.seed : openSeed(promotion.sealed_seed ?? "", { ...source, id });
  if (seed === null) return { ok: false, error: "wrong_passphrase" };
  if (sha256Hex(seed) !== promotion.seed_hash) return { ok: false, error: "wrong_seed" };
  await query(
    `UPDATE promotions SET closed_at = ${now} WHERE id = ${quote(id)} AND closed_at IS NULL AND seed IS NULL`,
  );
  const hash = async (text: string) => sha256Hex(text);
  const entries = await Promise.all(
    (await loadEntries(query, id)).map(async ({ paymentId, driverId }) => ({
      ...(await ticketOf({ promotionId: id, paymentId, driverId }, hash)),
      driverId,
    })),
  );
  const drawn = await drawWinners({ seed, tickets: entries, winners: promotion.winners }, hash);
  const tickets = entries.map(({ entry, holder }) => {
    const at = drawn.indexOf(entry);
    return { entry, holder, rank: at < 0 ? null : at + 1 };
  });
  await query(`DELETE FROM raffle_tickets WHERE promotion_id = ${quote(id)}`);
  for (let at = 0; at < tickets.length; at += TICKETS_A_STATEMENT) {
    const part = JSON.stringify(tickets.slice(at, at + TICKETS_A_STATEMENT));
    await query(
      `INSERT INTO raffle_tickets (promotion_id, entry, holder, rank)
        SELECT ${quote(id)}, value ->> 'entry', value ->> 'holder', value ->> 'rank' FROM json_each(${quote(part)})`,
    );
  }
  const winners = drawn.flatMap((entry) => entries.filter((ticket) => ticket.entry === entry));
  if (winners.length > 0) await query(newsStatement(id, winners, now));
  await query(`UPDATE promotions SET seed = ${quote(seed)} WHERE id = ${quote(id)} AND seed IS NULL`);
  return {
    ok: true,
    entries: entries.length,
    winners: winners.map(({ entry, driverId }) => ({ entry, driverId })),
  };
}

async function loadEntries(query: Query, id: string): Promise<{ paymentId: string; driverId: string }[]> {
  const rows = z.parse(
    entryRows,
    await query(
      `SELECT e.payment_id, e.driver_id FROM raffle_entries e JOIN payments p ON p.id = e.payment_id
        WHERE e.promotion_id = ${quote(id)} AND p.status NOT IN ('refunded', 'dispute_lost') ORDER BY e.payment_id`,
    ),
  );
  return rows.map((row) => ({ paymentId: row.payment_id, driverId: row.driver_id }));
}

/** Written as a minute old, so that the next run of the cron delivers it. */
function newsStatement(
  id: string,
  winners: readonly { entry: string; driverId: string }[],
  now: EpochMs,
): string {
  const rows = winners.map(({ entry, driverId }) => {
    const source = quote(`raffle:${id}:${entry}`);
    return `(${source}, ${quote(driverId)}, 'raffle_won', ${quote(id)}, ${now - 2 * MINUTE_MS})`;
  });
  return `INSERT OR IGNORE INTO driver_news (source, driver_id, kind, subject, at) VALUES ${rows.join(", ")}`;
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
