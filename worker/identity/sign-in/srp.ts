import type { KeyBytes } from "../../../durable/runtime/keys.ts";
import { concat, fromHex, hkdf, hmac, sha256, toHex, utf8 } from "../bytes.ts";

const KEY_BYTES = 16;
const KEY_INFO = "Caldera Derived Key";
const WINDOW_BITS = 5;
const COMB_TEETH = 4;
const COMB_STEPS = 64;
const MAX_A_DIGITS = 770;

/** The 3072-bit group (RFC 3526 group 15, RFC 5054); its generator is 2. */
export const N = BigInt(
  `0x${[
    "ffffffffffffffffc90fdaa22168c234c4c6628b80dc1cd129024e088a67cc74020bbea63b139b22514a08798e3404dd",
    "ef9519b3cd3a431b302b0a6df25f14374fe1356d6d51c245e485b576625e7ec6f44c42e9a637ed6b0bff5cb6f406b7ed",
    "ee386bfb5a899fa5ae9f24117c4b1fe649286651ece45b3dc2007cb8a163bf0598da48361c55d39a69163fa8fd24cf5f",
    "83655d23dca3ad961c62f356208552bb9ed529077096966d670c354e4abc9804f1746c08ca18217c32905e462e36ce3b",
    "e39e772c180e86039b2783a2ec07a28fb5c55df06f4c52c9de2bcbf6955817183995497cea956ae515d2261898fa0510",
    "15728e5a8aaac42dad33170d04507a33a85521abdf1cba64ecfb850458dbef0a8aea71575d060c7db3970f85a6e1e4c7",
    "abf5ae8cdb0933d71e8c94e04a25619dcee3d2261ad2ee6bf12ffa06d98a0864d87602733ec86a64521f2b18177b200c",
    "bbe117577a615d6c770988c0bad946e208e24fa074e5ab3143db5bfce0fd108e4b82d120a93ad2caffffffffffffffff",
  ].join("")}`,
);

/** int(SHA256(PAD(N) | PAD(g))), the multiplier of the protocol's third version. */
export const MULTIPLIER = 0x538282c4354742d7cbbde2359fcf67f9f5b3a6b08791e5011b43b8a5b66d9ee6n;

/** A salt and what the password becomes under it: enough to check a proof, not to make one. */
export type Verifier = { salt: bigint; verifier: bigint };

/** A base to the 2^0, 2^64, 2^128 and 2^192: with them at hand a 256-bit power is 64 steps. */
export type CombPowers = readonly [bigint, bigint, bigint, bigint];

/** A verifier with its powers, which are stored beside it: they take a third off the server's first step. */
export type PrecomputedVerifier = Verifier & { combPowers: CombPowers };

/**
 * The number's least bytes, big-endian, with one leading zero where the top bit is set.
 * It is not padded to the group's width.
 */
export function pad(number: bigint): KeyBytes {
  const hex = number.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return fromHex(/^[89a-f]/.test(even) ? `00${even}` : even);
}

/** Big-endian, unsigned. */
export function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes) || "0"}`);
}

/** base ^ exponent mod N, by a window of five bits. */
export function modPow(base: bigint, exponent: bigint): bigint {
  const table = [1n];
  for (let i = 1; i < 1 << WINDOW_BITS; i++) table.push(((table[i - 1] ?? 1n) * base) % N);
  let result = 1n;
  for (const digit of digitsOf(exponent, WINDOW_BITS)) {
    for (let i = 0; i < WINDOW_BITS; i++) result = (result * result) % N;
    // The digit 0 multiplies too: as many products for every exponent.
    result = (result * (table[digit] ?? 1n)) % N;
  }
  return result;
}

/** Makes a verifier's powers, once: 192 squarings. */
export function precompute({ salt, verifier }: Verifier): PrecomputedVerifier {
  return { salt, verifier, combPowers: combPowersOf(verifier) };
}

function combPowersOf(base: bigint): CombPowers {
  const next = (tooth: bigint) => {
    let power = tooth;
    for (let step = 0; step < COMB_STEPS; step++) power = (power * power) % N;
    return power;
  };
  const second = next(base);
  const third = next(second);
  return [base, second, third, next(third)];
}

/** Every product of the teeth. */
function combTableOf(combPowers: CombPowers): readonly bigint[] {
  let table = [1n];
  for (const tooth of combPowers) table = [...table, ...table.map((product) => (product * tooth) % N)];
  return table;
}

/** @param exponent below 2^256 */
function modPowByComb(comb: readonly bigint[], exponent: bigint): bigint {
  const bits = exponent.toString(2).padStart(COMB_TEETH * COMB_STEPS, "0");
  let result = 1n;
  for (let step = 0; step < COMB_STEPS; step++) {
    let chosen = "";
    for (let tooth = 0; tooth < COMB_TEETH; tooth++) chosen += bits[tooth * COMB_STEPS + step];
    result = (result * result) % N;
    result = (result * (comb[Number.parseInt(chosen, 2)] ?? 1n)) % N;
  }
  return result;
}

let combTableOfTwo: readonly bigint[] | undefined;

/** 2 ^ exponent mod N; the comb is made once per isolate. @param exponent below 2^256, as every one here is */
export function modPowOfTwo(exponent: bigint): bigint {
  combTableOfTwo ??= combTableOf(combPowersOf(2n));
  return modPowByComb(combTableOfTwo, exponent);
}

function digitsOf(number: bigint, bits: number): number[] {
  const binary = number.toString(2);
  const whole = binary.padStart(Math.ceil(binary.length / bits) * bits, "0");
  const digits: number[] = [];
  for (let at = 0; at < whole.length; at += bits) digits.push(Number.parseInt(whole.slice(at, at + bits), 2));
  return digits;
}

/**
 * What the password becomes under a salt.
 * @param party.pool the pool's name, or a device's group key
 * @param party.user the internal user name, or a device's key
 */
export async function makeVerifier(
  party: { pool: string; user: string; password: string },
  salt: bigint,
): Promise<Verifier> {
  const inner = await sha256(utf8(`${party.pool}${party.user}:${party.password}`));
  const x = toInteger(await sha256(concat(pad(salt), inner)));
  return { salt, verifier: modPowOfTwo(x) };
}

/** Reads the client's public number. Null where it is no hex, too long, or zero in the group. */
export function parsePublicNumber(hex: string): bigint | null {
  if (hex.length > MAX_A_DIGITS || !/^[0-9a-fA-F]+$/.test(hex)) return null;
  const number = BigInt(`0x${hex}`);
  return number % N === 0n ? null : number;
}

/**
 * The server's first step: its public number B, and the key that a right proof is made with.
 * `teeth` are the verifier's.
 * Null for the one in 2^256 chances in which other chance must be taken.
 * @param chance 256 random bits; twice the strength of the group
 */
export async function computeServerStep(
  a: bigint,
  { teeth: combPowers, chance: random }: { teeth: CombPowers; chance: bigint },
): Promise<{ b: bigint; key: KeyBytes } | null> {
  const b = (MULTIPLIER * combPowers[0] + modPowOfTwo(random)) % N;
  const u = toInteger(await sha256(concat(pad(a), pad(b))));
  if (b === 0n || u === 0n) return null;
  const shared = modPow((a * modPowByComb(combTableOf(combPowers), u)) % N, random);
  return { b, key: await hkdf(pad(shared), { salt: pad(u), info: KEY_INFO, length: KEY_BYTES }) };
}

/** What a client that knows the password signs a secret block and a timestamp with. */
export function makeProof(
  key: KeyBytes,
  claim: { pool: string; user: string; block: KeyBytes; timestamp: string },
): Promise<KeyBytes> {
  return hmac(key, concat(utf8(claim.pool), utf8(claim.user), claim.block, utf8(claim.timestamp)));
}
