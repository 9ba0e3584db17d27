import { createCipheriv, createDecipheriv, createHash, randomBytes, scryptSync } from "node:crypto";

const CIPHER = "aes-256-gcm";
const KEY_BYTES = 32;

/** A seed that nobody has seen: 64 hex digits. */
export function makeSeed(): string {
  return randomBytes(KEY_BYTES).toString("hex");
}

/** Seals a seed with the operator's passphrase, for one raffle: `v1.<salt>.<nonce>.<tag>.<cipher>`. */
export function sealSeed(seed: string, { passphrase, id }: { passphrase: string; id: string }): string {
  const [salt, nonce] = [randomBytes(16), randomBytes(12)];
  const cipher = createCipheriv(CIPHER, scryptSync(passphrase, salt, KEY_BYTES), nonce).setAAD(
    Buffer.from(id),
  );
  const sealed = Buffer.concat([cipher.update(seed, "utf8"), cipher.final()]);
  return ["v1", ...[salt, nonce, cipher.getAuthTag(), sealed].map((part) => part.toString("base64url"))].join(
    ".",
  );
}

/** Opens what `sealSeed` returned; null with another passphrase, or for another raffle. */
export function openSeed(
  sealed: string,
  { passphrase, id }: { passphrase: string; id: string },
): string | null {
  const [version, ...parts] = sealed.split(".");
  const [salt, nonce, tag, cipher] = parts.map((part) => Buffer.from(part, "base64url"));
  if (version !== "v1" || !salt || !nonce || !tag || !cipher) return null;
  try {
    const opening = createDecipheriv(CIPHER, scryptSync(passphrase, salt, KEY_BYTES), nonce)
      .setAAD(Buffer.from(id))
      .setAuthTag(tag);
    return Buffer.concat([opening.update(cipher), opening.final()]).toString("utf8");
  } catch {
    return null;
  }
}

/** SHA-256 of a text, in lower-case hex. */
export function sha256Hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
