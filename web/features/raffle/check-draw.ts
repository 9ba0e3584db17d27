import { drawWinners } from "../../../db/shapes/money/raffle.ts";
import type { Raffle, RaffleDraw } from "../../../worker/contract/money/raffles.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";

/** The result of repeating a published draw in this browser. */
export type DrawCheck = { isSeedRight: boolean; areWinnersRight: boolean };

/** Compares the seed with the fingerprint that was published before the draw, and draws again from the published entries. */
export async function checkDraw(
  { seedHash, winners }: Pick<Raffle, "seedHash" | "winners">,
  { seed, tickets, winners: published }: RaffleDraw,
): Promise<DrawCheck> {
  const drawn = await drawWinners({ seed, tickets, winners });
  return {
    isSeedRight: (await sha256Hex(seed)) === seedHash,
    areWinnersRight: drawn.length === published.length && drawn.every((entry, at) => entry === published[at]),
  };
}
