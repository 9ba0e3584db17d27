import { createDecipheriv, scryptSync } from "node:crypto";
import type { SeedKey } from "../../db/shapes/money/sealed-seed.ts";

const KEY_BYTES = 32;

/** Opens what the first release sealed, `v1.<salt>.<nonce>.<tag>.<cipher>`; null with another passphrase, or for another raffle. */
export function openEarlySeal(sealed: string, { passphrase, id }: SeedKey): string | null {
  const [version, ...parts] = sealed.split(".");
  const [salt, nonce, tag, cipher] = parts.map((part) => Buffer.from(part, "base64url"));
  if (version !== "v1" || !salt || !nonce || !tag || !cipher) return null;
  try {
    const key = scryptSync(passphrase, salt, KEY_BYTES);
    const opening = createDecipheriv("aes-256-gcm", key, nonce).setAAD(Buffer.from(id)).setAuthTag(tag);
    return Buffer.concat([opening.update(cipher), opening.final()]).toString("utf8");
  } catch {
    return null;
  }
}
