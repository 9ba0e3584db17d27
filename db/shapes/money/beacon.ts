import type { EpochMs } from "../units.ts";

// The public beacon that a draw mixes in: drand (https://drand.love), whose members together sign the number of a round every
// few seconds. Nobody knows a round's signature before its time, and one public key verifies it.

/** drand's chain `quicknet`, by its public key; its facts never change. */
export const QUICKNET = {
  url: "https://api.drand.sh/52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
  publicKey:
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
} as const;

/** When quicknet's round 1 was. */
const GENESIS_MS: EpochMs = 1_692_803_367_000;
const PERIOD_MS = 3000;

/** A signature in hex: a compressed point of BLS12-381's G1. */
export const BEACON_SIGNATURE = /^[0-9a-f]{96}$/;

/** The first round that comes at or after an instant. */
export function beaconRoundFrom(at: EpochMs): number {
  return Math.max(1, Math.ceil((at - GENESIS_MS) / PERIOD_MS) + 1);
}

/** The instant of a round. */
export function beaconTime(round: number): EpochMs {
  return GENESIS_MS + (round - 1) * PERIOD_MS;
}

/** The randomness of a round as drand defines it: SHA-256 of the signature's bytes, in hex. */
export async function beaconRandomness(signature: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", bytesOfHex(signature));
  return hexOfBytes(new Uint8Array(digest));
}

/** The bytes of an even number of hex digits. */
export function bytesOfHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: hex.length / 2 }, (_, at) => parseInt(hex.slice(at * 2, at * 2 + 2), 16));
}

function hexOfBytes(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
