import { fromBase64Url, toBase64Url } from "../../durable/runtime/base64.ts";
import type { KeyBytes, Keys } from "../../durable/runtime/keys.ts";
import { hmac, isEqual, toUuid } from "./bytes.ts";

const ID_BYTES = 16;
/** 96 bits: nobody guesses them, and the link fits a text. */
const MAC_BYTES = 12;

/**
 * The token of a link that is opened without signing in: ids and a code over them, so that nothing of it is stored.
 * @param use what the link is for: a token of one use is none of another
 * @param ids UUIDs
 * @returns null for ids of another form
 */
export async function signIds(keys: Keys, use: string, ids: readonly string[]): Promise<string | null> {
  const bytes = fromUuids(ids);
  if (!bytes) return null;
  const [key] = await keys.derive("links", use);
  return toBase64Url(new Uint8Array([...bytes, ...(await macOf(key, bytes))]));
}

/**
 * The ids in a token, also of one that was made under an older key; null if it is forged, for another use, or holds
 * another number of ids.
 */
export async function readSignedIds(
  keys: Keys,
  use: string,
  { token, count }: { token: string; count: number },
): Promise<string[] | null> {
  const bytes = decode(token);
  const length = count * ID_BYTES;
  if (bytes?.length !== length + MAC_BYTES) return null;
  const ids = bytes.slice(0, length);
  const mac = bytes.slice(length);
  for (const key of await keys.derive("links", use)) {
    if (isEqual(mac, await macOf(key, ids)))
      return Array.from({ length: count }, (_, at) => toUuid(ids.slice(at * ID_BYTES, (at + 1) * ID_BYTES)));
  }
  return null;
}

async function macOf(key: KeyBytes, ids: KeyBytes): Promise<KeyBytes> {
  return (await hmac(key, ids)).slice(0, MAC_BYTES);
}

function decode(token: string): KeyBytes | null {
  if (!/^[\w-]{1,120}$/.test(token)) return null;
  try {
    const bytes = fromBase64Url(token);
    // Bits of the last letter that stand for nothing: one link, one token.
    return toBase64Url(bytes) === token ? bytes : null;
  } catch {
    return null;
  }
}

function fromUuids(ids: readonly string[]): KeyBytes | null {
  if (!ids.every((id) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id))) return null;
  const digits = ids.join("").replaceAll("-", "");
  return new Uint8Array(
    Array.from({ length: digits.length / 2 }, (_, at) => parseInt(digits.slice(at * 2, at * 2 + 2), 16)),
  );
}
