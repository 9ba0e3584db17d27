// A raffle's seed never leaves this browser in clear text before the draw: the server gets it sealed with the operator's
// passphrase. `npm run ops` seals and opens the same format (worker/operators/sealed-seed.ts).

const VERSION = "v2";
const ROUNDS = 600_000;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const SEED_BYTES = 32;

type Key = { passphrase: string; id: string };

/** A seed that nobody has seen: 64 hex digits. */
export function makeSeed(): string {
  return toHex(crypto.getRandomValues(new Uint8Array(SEED_BYTES)));
}

/** A passphrase that nobody guesses: six groups of four letters and digits, none of which looks like another. */
export function makePassphrase(): string {
  const letters = "abcdefghjkmnpqrstuvwxyz23456789";
  // Of a byte only what divides evenly, so that each letter is as likely.
  const bytes = [...crypto.getRandomValues(new Uint8Array(96))].filter((byte) => byte < letters.length * 8);
  const chosen = bytes.slice(0, 24).map((byte) => letters.charAt(byte % letters.length));
  return Array.from({ length: 6 }, (_, group) => chosen.slice(group * 4, group * 4 + 4).join("")).join("-");
}

/** SHA-256 of a text, in lower-case hex: the fingerprint that is published. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text))));
}

/** Seals a seed with a passphrase, for one raffle: `v2.<salt>.<nonce>.<cipher and tag>`. */
export async function sealSeed(seed: string, { passphrase, id }: Key): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const cipher = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(id) },
    await deriveKey(passphrase, salt),
    new TextEncoder().encode(seed),
  );
  return [VERSION, ...[salt, nonce, new Uint8Array(cipher)].map(toBase64Url)].join(".");
}

/** Whether a browser can open it: older ones were sealed for `npm run ops` alone. */
export function isSealedHere(sealed: string): boolean {
  return sealed.startsWith(`${VERSION}.`);
}

/** Opens what `sealSeed` returned; null with another passphrase, or for another raffle. */
export async function openSeed(sealed: string, { passphrase, id }: Key): Promise<string | null> {
  const [version, ...parts] = sealed.split(".");
  if (version !== VERSION || parts.length !== 3) return null;
  try {
    const [salt, nonce, cipher] = parts.map(fromBase64Url);
    if (!salt || !nonce || !cipher) return null;
    const seed = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(id) },
      await deriveKey(passphrase, salt),
      cipher,
    );
    return new TextDecoder().decode(seed);
  } catch {
    return null;
  }
}

async function deriveKey(passphrase: string, salt: Uint8Array<ArrayBuffer>): Promise<CryptoKey> {
  const words = await crypto.subtle.importKey("raw", new TextEncoder().encode(passphrase), "PBKDF2", false, [
    "deriveKey",
  ]);
  return crypto.subtle.deriveKey(
    { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS },
    words,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function toBase64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64Url(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) =>
    letter.charCodeAt(0),
  );
}
