import { drawWinners } from "../../../db/shapes/raffle.ts";
import type { Raffle, RaffleDraw } from "../../../worker/contract/raffles.ts";

/** What drawing again in this browser says of a draw that was published. */
export type DrawCheck = { isSeedRight: boolean; areWinnersRight: boolean };

/** Compares the seed with the fingerprint that was published before the draw, and draws again from the published entries. */
export async function checkDraw(
  { seedHash, winners }: Pick<Raffle, "seedHash" | "winners">,
  { seed, tickets, winners: published }: RaffleDraw,
): Promise<DrawCheck> {
  const drawn = await drawWinners({ seed, tickets, winners }, sha256);
  return {
    isSeedRight: (await sha256(seed)) === seedHash,
    areWinnersRight: drawn.length === published.length && drawn.every((entry, at) => entry === published[at]),
  };
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
