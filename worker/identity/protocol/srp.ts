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

/** The multiplier k of SRP-6a: int(SHA256(PAD(N) | PAD(g))). */
export const MULTIPLIER = 0x538282c4354742d7cbbde2359fcf67f9f5b3a6b08791e5011b43b8a5b66d9ee6n;

/** A salt and the verifier g^x of a password: enough to check a proof, not to make one. */
export type Verifier = { salt: bigint; verifier: bigint };

/** base^(2^0), base^(2^64), base^(2^128), base^(2^192). With these a 256-bit exponent takes 64 steps instead of 256. */
export type CombPowers = readonly [bigint, bigint, bigint, bigint];

/** A verifier with its precomputed powers. Storing them takes a third off the server's part of a sign-in. */
export type PrecomputedVerifier = Verifier & { combPowers: CombPowers };

/**
 * PAD in Cognito's variant of SRP: the shortest big-endian bytes of a non-negative number, with a leading zero byte if
 * the top bit is set. Unlike RFC 5054, it does not pad to the width of the group.
 */
export function pad(number: bigint): KeyBytes {
  const hex = number.toString(16);
  const even = hex.length % 2 === 0 ? hex : `0${hex}`;
  return fromHex(/^[89a-f]/.test(even) ? `00${even}` : even);
}

/** Reads big-endian bytes as an unsigned integer. */
export function toInteger(bytes: Uint8Array): bigint {
  return BigInt(`0x${toHex(bytes) || "0"}`);
}

/** base^exponent mod N, with a fixed window of five bits. */
export function modPow(base: bigint, exponent: bigint): bigint {
  const table = [1n];
  for (let i = 1; i < 1 << WINDOW_BITS; i++) table.push(((table[i - 1] ?? 1n) * base) % N);
  let result = 1n;
  for (const digit of digitsOf(exponent, WINDOW_BITS)) {
    for (let i = 0; i < WINDOW_BITS; i++) result = (result * result) % N;
    // Multiplies for digit 0 as well, so that the number of operations doesn't depend on the exponent's digits.
    result = (result * (table[digit] ?? 1n)) % N;
  }
  return result;
}

/** Computes the powers of a verifier: 192 squarings. */
export function precompute({ salt, verifier }: Verifier): PrecomputedVerifier {
  return { salt, verifier, combPowers: combPowersOf(verifier) };
}

function combPowersOf(base: bigint): CombPowers {
  const next = (previous: bigint) => {
    let power = previous;
    for (let step = 0; step < COMB_STEPS; step++) power = (power * power) % N;
    return power;
  };
  const second = next(base);
  const third = next(second);
  return [base, second, third, next(third)];
}

/** The products of every subset of the powers, indexed by the subset's bits. */
function combTableOf(combPowers: CombPowers): readonly bigint[] {
  let table = [1n];
  for (const power of combPowers) table = [...table, ...table.map((product) => (product * power) % N)];
  return table;
}

/** base^exponent mod N by the comb method. @param exponent must be below 2^256 */
function modPowByComb(table: readonly bigint[], exponent: bigint): bigint {
  const bits = exponent.toString(2).padStart(COMB_TEETH * COMB_STEPS, "0");
  let result = 1n;
  for (let step = 0; step < COMB_STEPS; step++) {
    let chosen = "";
    for (let tooth = 0; tooth < COMB_TEETH; tooth++) chosen += bits[tooth * COMB_STEPS + step];
    result = (result * result) % N;
    result = (result * (table[Number.parseInt(chosen, 2)] ?? 1n)) % N;
  }
  return result;
}

let combTableOfTwo: readonly bigint[] | undefined;

/** 2^exponent mod N. The table is computed once per isolate. @param exponent must be below 2^256 */
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
 * Computes the verifier of a password.
 * @param login.pool the pool id after its first `_`
 * @param login.user the account's sub
 */
export async function makeVerifier(
  login: { pool: string; user: string; password: string },
  salt: bigint,
): Promise<Verifier> {
  const inner = await sha256(utf8(`${login.pool}${login.user}:${login.password}`));
  const x = toInteger(await sha256(concat(pad(salt), inner)));
  return { salt, verifier: modPowOfTwo(x) };
}

/** Parses the client's public value A; null if it isn't hex, is too long, or is 0 mod N (which needs no password). */
export function parsePublicNumber(hex: string): bigint | null {
  if (hex.length > MAX_A_DIGITS || !/^[0-9a-fA-F]+$/.test(hex)) return null;
  const number = BigInt(`0x${hex}`);
  return number % N === 0n ? null : number;
}

/**
 * The server's side of SRP: its public value B, and the key that a correct proof is signed with.
 * Null with a probability of about 2^-256; then it must be called again with another `random`.
 * @param combPowers those of the verifier
 * @param random 256 random bits, twice the strength of the group
 */
export async function computeServerStep(
  a: bigint,
  { combPowers, random }: { combPowers: CombPowers; random: bigint },
): Promise<{ b: bigint; key: KeyBytes } | null> {
  const b = (MULTIPLIER * combPowers[0] + modPowOfTwo(random)) % N;
  const u = toInteger(await sha256(concat(pad(a), pad(b))));
  if (b === 0n || u === 0n) return null;
  const shared = modPow((a * modPowByComb(combTableOf(combPowers), u)) % N, random);
  return { b, key: await hkdf(pad(shared), { salt: pad(u), info: KEY_INFO, length: KEY_BYTES }) };
}

/** The signature with which a client proves that it knows the password. */
export function makeProof(
  key: KeyBytes,
  claim: { pool: string; user: string; block: KeyBytes; timestamp: string },
): Promise<KeyBytes> {
  return hmac(key, concat(utf8(claim.pool), utf8(claim.user), claim.block, utf8(claim.timestamp)));
}
