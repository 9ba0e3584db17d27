import * as z from "zod/mini";
import { texts, type Texts } from "../language.ts";
import type { PlanForSale } from "./plans.ts";
import { beaconRandomness } from "./beacon.ts";
import { sha256Hex } from "../sha256-hex.ts";
import { HOUR_MS, type EpochMs } from "../units.ts";

/** How a raffle is drawn: by its seed alone, as those of earlier releases, or by its seed and a public beacon. */
export const DRAW_BY_SEED = 1;
export const DRAW_BY_BEACON = 2;

/** How long after a raffle's end its entries close: a lost event of the card processor is made good within an hour. */
export const ENTRIES_CLOSE_AFTER_MS = 2 * HOUR_MS;
/** How far ahead of its time the beacon's round is named, with the fingerprint of the entries, for anybody to note both. */
export const ROUND_AHEAD_MS = HOUR_MS;

/** An entry as anybody may see it. `holder` is the same for all entries of one driver in one raffle, and tells nothing else. */
export const raffleTicket = z.object({ entry: z.string(), holder: z.string() });
export type RaffleTicket = z.infer<typeof raffleTicket>;

/** Shown in full, and long enough that no two entries of a raffle are the same. */
const ID_LENGTH = 24;

/** The published part of a payment in a raffle: it reveals neither its id nor its driver's. */
export async function ticketOf({
  promotionId,
  paymentId,
  driverId,
}: {
  promotionId: string;
  paymentId: string;
  driverId: string;
}): Promise<RaffleTicket> {
  const entry = await sha256Hex(`${promotionId}:entry:${paymentId}`);
  const holder = await sha256Hex(`${promotionId}:holder:${driverId}`);
  return { entry: entry.slice(0, ID_LENGTH), holder: holder.slice(0, ID_LENGTH) };
}

/** The fingerprint of a raffle's entries: SHA-256 of the lines `<entry>:<holder>`, sorted. */
export function entriesHashOf(tickets: readonly RaffleTicket[]): Promise<string> {
  const lines = tickets.map(({ entry, holder }) => `${entry}:${holder}`);
  return sha256Hex(lines.toSorted(compareTexts).join("\n"));
}

/**
 * Draws a raffle. Each entry's number is SHA-256 of `<seed>:<randomness>:<entry>`, where the randomness is SHA-256 of the
 * beacon's signature; without a beacon it is SHA-256 of `<seed>:<entry>`. The entries with the smallest numbers win, the
 * smallest first. Of one holder only the entry with the smallest number counts, so nobody wins twice. The order in which
 * the entries are given changes nothing, so whoever knows entries, seed and beacon gets the same winners.
 * @param signature the beacon's, in hex; null for a raffle that is drawn by its seed alone
 * @returns the entries that win, at most `winners`
 */
export async function drawWinners({
  seed,
  signature,
  tickets,
  winners,
}: {
  seed: string;
  signature: string | null;
  tickets: readonly RaffleTicket[];
  winners: number;
}): Promise<string[]> {
  const key = signature === null ? seed : `${seed}:${await beaconRandomness(signature)}`;
  const numbered = await Promise.all(
    tickets.map(async (ticket) => ({ ...ticket, number: await sha256Hex(`${key}:${ticket.entry}`) })),
  );
  const ordered = numbered.toSorted((a, b) => compareTexts(a.number, b.number));
  const drawn = new Set<string>();
  const first = ordered.filter(({ holder }) => {
    if (drawn.has(holder)) return false;
    drawn.add(holder);
    return true;
  });
  return first.slice(0, winners).map(({ entry }) => entry);
}

function compareTexts(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

/** The winner's prize, in each language. */
export const rafflePrize = texts;
export type RafflePrize = Texts;

/** A raffle as an operator announces it: who pays for the plan in its span takes part. */
export type RaffleTerms = {
  id: string;
  plan: PlanForSale;
  startsAt: EpochMs;
  endsAt: EpochMs;
  winners: number;
  prize: RafflePrize | null;
};

/** Parses a stored prize; null if there is none that can be shown. */
export function readPrize(stored: unknown): RafflePrize | null {
  return z.safeParse(rafflePrize, stored).data ?? null;
}
