import { fromBase64Url, toBase64Url } from "../../durable/runtime/base64.ts";
import type { KeyBytes, Keys } from "../../durable/runtime/keys.ts";
import { hmac, isEqual, toUuid } from "../identity/bytes.ts";

/** A link's one use: it ends a renewal, or shows the receipts of a deleted account. */
export type OwnerLinkUse = "renewal" | "receipts";

const ID_BYTES = 16;
/** 96 bits: nobody guesses them, and the link fits a text. */
const MAC_BYTES = 12;

/**
 * The token of a link that is opened without signing in: the id and a code over it, so that nothing of it is stored.
 * @param id a UUID
 * @returns null for an id of another form
 */
export async function makeOwnerLink(keys: Keys, use: OwnerLinkUse, id: string): Promise<string | null> {
  const bytes = fromUuid(id);
  if (!bytes) return null;
  const [key] = await keys.derive("links", use);
  return toBase64Url(new Uint8Array([...bytes, ...(await macOf(key, bytes))]));
}

/** The id in a link's token, also of one that was made under an older key; null if it is forged or for another use. */
export async function readOwnerLink(keys: Keys, use: OwnerLinkUse, token: string): Promise<string | null> {
  const bytes = decode(token);
  if (bytes?.length !== ID_BYTES + MAC_BYTES) return null;
  const id = bytes.slice(0, ID_BYTES);
  const mac = bytes.slice(ID_BYTES);
  for (const key of await keys.derive("links", use)) {
    if (isEqual(mac, await macOf(key, id))) return toUuid(id);
  }
  return null;
}

async function macOf(key: KeyBytes, id: KeyBytes): Promise<KeyBytes> {
  return (await hmac(key, id)).slice(0, MAC_BYTES);
}

function decode(token: string): KeyBytes | null {
  if (!/^[\w-]{38}$/.test(token)) return null;
  try {
    const bytes = fromBase64Url(token);
    // Bits of the last letter that stand for nothing: one link, one token.
    return toBase64Url(bytes) === token ? bytes : null;
  } catch {
    return null;
  }
}

function fromUuid(id: string): KeyBytes | null {
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return null;
  const digits = id.replaceAll("-", "");
  return new Uint8Array(
    Array.from({ length: ID_BYTES }, (_, at) => parseInt(digits.slice(at * 2, at * 2 + 2), 16)),
  );
}
