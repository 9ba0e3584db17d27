import {
  createCipheriv,
  createDecipheriv,
  createHash,
  pbkdf2Sync,
  randomBytes,
  scryptSync,
} from "node:crypto";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;
const TAG_BYTES = 16;
const ROUNDS = 600_000;

type Key = { passphrase: string; id: string };

/** A seed that nobody has seen: 64 hex digits. */
export function makeSeed(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

/** Seals a seed with the operator's passphrase, for one raffle, as the console's page does: `v2.<salt>.<nonce>.<cipher and tag>`. */
export function sealSeed(seed: string, { passphrase, id }: Key): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, deriveKey(passphrase, salt), nonce).setAAD(Buffer.from(id));
  const sealed = Buffer.concat([cipher.update(seed, "utf8"), cipher.final(), cipher.getAuthTag()]);
  return ["v2", ...[salt, nonce, sealed].map((part) => part.toString("base64url"))].join(".");
}

/** Opens what `sealSeed`, the console's page or an earlier release sealed; null with another passphrase, or for another raffle. */
export function openSeed(sealed: string, { passphrase, id }: Key): string | null {
  const [version, ...parts] = sealed.split(".");
  const [salt, nonce, ...rest] = parts.map((part) => Buffer.from(part, "base64url"));
  if (!salt || !nonce) return null;
  const found = partsOf(version, rest);
  if (!found) return null;
  try {
    const key = version === "v1" ? scryptSync(passphrase, salt, KEY_BYTES) : deriveKey(passphrase, salt);
    const opening = createDecipheriv(CIPHER, key, nonce).setAAD(Buffer.from(id)).setAuthTag(found.tag);
    return Buffer.concat([opening.update(found.cipher), opening.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** An earlier release wrote `v1.<salt>.<nonce>.<tag>.<cipher>`, with another way from passphrase to key. */
function partsOf(
  version: string | undefined,
  [first, second]: Buffer[],
): { tag: Buffer; cipher: Buffer } | null {
  if (version === "v1") return first && second ? { tag: first, cipher: second } : null;
  if (version !== "v2" || !first) return null;
  return { tag: first.subarray(-TAG_BYTES), cipher: first.subarray(0, -TAG_BYTES) };
}

function deriveKey(passphrase: string, salt: Buffer): Buffer {
  return pbkdf2Sync(passphrase, salt, ROUNDS, KEY_BYTES, "sha256");
}

/** SHA-256 of a text, in lower-case hex. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
