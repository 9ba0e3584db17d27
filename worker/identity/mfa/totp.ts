import type { EpochMs } from "../../../db/shapes/units.ts";
import type { KeyBytes } from "../../../durable/runtime/keys.ts";
import { hmac } from "../bytes.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const STEP_MS = 30_000;
const DIGITS = 6;
const STEP_OFFSETS = [0, -1, 1];

/** Base32 without padding (RFC 4648), the format that authenticator apps expect. */
export function toBase32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => ALPHABET[Number.parseInt(five.padEnd(5, "0"), 2)])
    .join("");
}

/** The code for one 30-second step (RFC 6238 with SHA-1 and six digits). */
export async function totpCode(secret: KeyBytes, step: number): Promise<string> {
  const counter = new Uint8Array(8);
  new DataView(counter.buffer).setBigUint64(0, BigInt(step));
  const digest = await hmac(secret, counter, "SHA-1");
  const offset = (digest.at(-1) ?? 0) & 0x0f;
  const number = new DataView(digest.buffer).getUint32(offset) & 0x7fffffff;
  return String(number % 10 ** DIGITS).padStart(DIGITS, "0");
}

/** The step that a code is valid for: the current one or a neighbour, to allow for clock drift. Null if none matches. */
export async function findTotpStep(
  secret: KeyBytes,
  { code, now }: { code: string; now: EpochMs },
): Promise<number | null> {
  const current = Math.floor(now / STEP_MS);
  for (const offset of STEP_OFFSETS) {
    if ((await totpCode(secret, current + offset)) === code) return current + offset;
  }
  return null;
}
