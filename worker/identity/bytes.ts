import { fromBase64 } from "../../durable/runtime/base64.ts";
import type { KeyBytes } from "../../durable/runtime/keys.ts";

const encoder = new TextEncoder();

/** Encodes a string as UTF-8. */
export function utf8(text: string): KeyBytes {
  return new Uint8Array(encoder.encode(text));
}

/** Concatenates byte arrays. */
export function concat(...parts: readonly Uint8Array[]): KeyBytes {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Lower-case hex, two digits per byte. */
export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Decodes hex. @param hex must have an even number of digits */
export function fromHex(hex: string): KeyBytes {
  const bytes = new Uint8Array(hex.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = Number.parseInt(hex.slice(i * 2, i * 2 + 2), 16);
  return bytes;
}

/** Decodes standard base64; null if the text isn't valid base64. */
export function decodeBase64(text: string): KeyBytes | null {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text)) return null;
  try {
    return fromBase64(text);
  } catch {
    return null;
  }
}

/** SHA-256: 32 bytes. */
export async function sha256(bytes: KeyBytes): Promise<KeyBytes> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
}

/** HMAC: 32 bytes, or 20 with SHA-1, which only authenticator codes (TOTP) use. */
export async function hmac(
  key: KeyBytes,
  bytes: KeyBytes,
  hash: "SHA-1" | "SHA-256" = "SHA-256",
): Promise<KeyBytes> {
  const imported = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash }, false, ["sign"]);
  return new Uint8Array(await crypto.subtle.sign("HMAC", imported, bytes));
}

/** HKDF-SHA256 (RFC 5869). */
export async function hkdf(
  secret: KeyBytes,
  { salt, info, length }: { salt: KeyBytes; info: string; length: number },
): Promise<KeyBytes> {
  const key = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits"]);
  const algorithm = { name: "HKDF", hash: "SHA-256", salt, info: utf8(info) };
  return new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, length * 8));
}

/** Constant-time comparison: the time depends only on the lengths. */
export function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  let difference = one.length ^ other.length;
  for (let i = 0; i < one.length; i++) difference |= (one[i] ?? 0) ^ (other[i] ?? 0);
  return difference === 0;
}

/** Formats 16 bytes as a version 4 UUID (RFC 9562). */
export function toUuid(bytes: Uint8Array): string {
  const hex = toHex(
    bytes.map((byte, i) => (i === 6 ? (byte & 0x0f) | 0x40 : i === 8 ? (byte & 0x3f) | 0x80 : byte)),
  );
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}
