import { QUICKNET } from "../../../db/shapes/money/beacon.ts";
import { drawWinners, entriesHashOf } from "../../../db/shapes/money/raffle.ts";
import type { Raffle, RaffleDraw } from "../../../worker/contract/money/raffles.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";

/** The result of repeating a published draw in this browser. `beacon`: null for a raffle that is drawn by its seed alone. */
export type DrawCheck = {
  isSeedRight: boolean;
  beacon: { areEntriesRight: boolean; isRoundRight: boolean; isChainPublic: boolean } | null;
  areWinnersRight: boolean;
};

/**
 * Compares seed and entries with the fingerprints that were published before the draw, verifies the beacon by drand's public
 * key, and draws again from the published entries.
 */
export async function checkDraw(
  { seedHash, winners, hasBeacon, closing }: Pick<Raffle, "seedHash" | "winners" | "hasBeacon" | "closing">,
  { seed, signature, tickets, winners: published }: RaffleDraw,
): Promise<DrawCheck> {
  const drawn = await drawWinners({ seed, signature, tickets, winners });
  const areSame = drawn.length === published.length && drawn.every((entry, at) => entry === published[at]);
  const isSeedRight = (await sha256Hex(seed)) === seedHash;
  if (!hasBeacon) return { isSeedRight, beacon: null, areWinnersRight: areSame };
  const { isBeaconOf } = await import("../../../db/shapes/money/verify-beacon.ts");
  return {
    isSeedRight,
    beacon: {
      areEntriesRight: closing !== null && (await entriesHashOf(tickets)) === closing.entriesHash,
      isRoundRight:
        closing !== null &&
        signature !== null &&
        (await isBeaconOf(closing.round, { ...closing, signature })),
      isChainPublic: closing?.publicKey === QUICKNET.publicKey,
    },
    // By its seed alone it would be another draw than the one that was announced.
    areWinnersRight: areSame && signature !== null,
  };
}
