// A raffle's seed leaves whoever announces it, the console's page or `npm run ops`, only sealed with the operator's
// passphrase, until the draw.

/** How a seed is sealed. The first release wrote `v1`, which `worker/operators/raffles.ts` opens. */
const VERSION = "v2";
/** PBKDF2 with SHA-256: what OWASP's Password Storage Cheat Sheet asks for. */
const ROUNDS = 600_000;
const SALT_BYTES = 16;
const NONCE_BYTES = 12;
const SEED_BYTES = 32;

/** The operator's passphrase, and the raffle for which it is used. */
export type SeedKey = { passphrase: string; id: string };

/** A seed that nobody has seen: 64 hex digits. */
export function makeSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Seals a seed for one raffle: `v2.<salt>.<nonce>.<cipher and tag>`, each in URL-safe Base64. */
export async function sealSeed(seed: string, { passphrase, id }: SeedKey): Promise<string> {
  const salt = crypto.getRandomValues(new Uint8Array(SALT_BYTES));
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  const cipher = await crypto.subtle.encrypt(
    { name: "AES-GCM", iv: nonce, additionalData: new TextEncoder().encode(id) },
    await deriveKey(passphrase, salt),
    new TextEncoder().encode(seed),
  );
  return [VERSION, ...[salt, nonce, new Uint8Array(cipher)].map(toBase64Url)].join(".");
}

/** Whether `openSeed` knows how it was sealed. */
export function isSealKnown(sealed: string): boolean {
  return sealed.startsWith(`${VERSION}.`);
}

/** Opens what `sealSeed` returned; null with another passphrase, or for another raffle. */
export async function openSeed(sealed: string, { passphrase, id }: SeedKey): Promise<string | null> {
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

async function deriveKey(passphrase: string, salt: Uint8Array<ArrayBuffer>) {
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
