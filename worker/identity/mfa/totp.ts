import type { EpochMs } from "../../../db/shapes/units.ts";
import type { KeyBytes } from "../../../durable/runtime/keys.ts";
import { hmac } from "../bytes.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;
const DIGITS = 6;
const STEP_OFFSETS = [0, -1, 1];

/** Base 32 without padding (RFC 4648), as authenticator apps take it. */
export function toBase32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

/** The code of one step of 30 seconds (RFC 6238, SHA-1, six digits). */
export async function totpCode(secret: KeyBytes, step: number): Promise<string> {
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setBigUint64(0, BigInt(step));
  const digest = await hmac(secret, counter, "SHA-1");
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = new DataView(digest.buffer).getUint32(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The step to which a code belongs, one either way allowed for slow hands and clocks; null where it fits none. */
export async function findTotpStep(
  secret: KeyBytes,
  { code, now }: { code: string; now: EpochMs },
): Promise<number | null> {
  const present = Math.floor(now / STEP_MS);
  for (const away of STEP_OFFSETS) {
    if ((await totpCode(secret, present + away)) === code) return present + away;
  }
  return null;
}
