import { fromBase64, fromBase64Url, toBase64, toBase64Url } from "./base64.ts";

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
/** Cache size. Most entries are keys of sealed bodies, one per open page. */
const MAX_DERIVED = 1_000;
const FORMAT = "v1";

/** The purpose of a derived key. Keys for different purposes are independent. */
export type KeyPurpose =
  | "tokens"
  | "seal"
  | "ticket"
  | "im_here"
  | "verifier"
  | "refresh"
  | "signing"
  | "codes"
  | "links"
  | "print";

/** Bytes as WebCrypto accepts them. */
export type KeyBytes = Uint8Array<ArrayBuffer>;

/** Every key of the deployment, derived from the master keys per purpose (HKDF-SHA256, RFC 5869). */
export type Keys = {
  /** The id of the current master key, under which everything new is sealed. */
  currentId: string;
  /**
   * Derives 32 bytes for a purpose and an info from every master key, the current one first. Cached: callers must not
   * modify them.
   */
  derive(purpose: KeyPurpose, info: string): Promise<readonly [KeyBytes, ...KeyBytes[]]>;
  /**
   * Encrypts with AES-256-GCM under the current key, with `context` as additional data. Returns
   * `v1.<keyId>.<nonce>.<cipher>`.
   */
  seal(purpose: KeyPurpose, text: { plain: string; context: string }): Promise<string>;
  /**
   * Whether the key that sealed a text is configured (`known`), named as gone for good (`lost`), or neither: then the
   * text can't be opened now, and must be kept for when the key is back.
   */
  keyOf(sealed: string): "known" | "lost" | "missing";
  /** Decrypts what `seal` returned, also under an older key; null if key, context or bytes don't match. */
  open(purpose: KeyPurpose, text: { sealed: string; context: string }): Promise<string | null>;
};

type MasterKey = { id: string; key: CryptoKey };

/** The id of the master key that sealed a text, as it stands in it. */
export function sealedUnder(sealed: string): string {
  return sealed.split(".")[1] ?? "";
}

/** A master key as `MASTER_KEYS` names it. */
export type MasterKeyBytes = { id: string; bytes: KeyBytes };

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * @param setting `MASTER_KEYS`: `id:base64,id:base64`, 32 bytes each, the first is current
 * @param lostIds `LOST_MASTER_KEYS`: the keys that are gone for good
 * @throws {TypeError} if the setting is malformed; the message contains no key
 */
export function createKeys(setting: string, lostIds: readonly string[] = []): Keys {
  const parts = parseMasterKeys(setting);
  // Caches keys, never promises of keys: in workerd, a request must not await a promise that another request created.
  let masters: readonly [MasterKey, ...MasterKey[]] | null = null;
  const cipherKeys = new Map<string, CryptoKey>();
  const derived = new Map<string, readonly [KeyBytes, ...KeyBytes[]]>();

  async function masterKeys(): Promise<readonly [MasterKey, ...MasterKey[]]> {
    if (masters) return masters;
    const [current, ...older] = await Promise.all(parts.map(importMasterKey));
    if (!current) throw new TypeError("MASTER_KEYS holds no key");
    masters = [current, ...older];
    return masters;
  }

  async function cipherKey(master: MasterKey, purpose: KeyPurpose): Promise<CryptoKey> {
    const name = `${master.id} ${purpose}`;
    const known = cipherKeys.get(name);
    if (known) return known;
    const bytes = await deriveBytes(master.key, purpose, "");
    const key = await crypto.subtle.importKey("raw", bytes, "AES-GCM", false, ["encrypt", "decrypt"]);
    cipherKeys.set(name, key);
    return key;
  }

  return {
    currentId: parts[0].id,

    async derive(purpose, info) {
      const name = `${purpose} ${info}`;
      const known = derived.get(name);
      if (known) return known;
      const [current, ...older] = await masterKeys();
      const bytes: readonly [KeyBytes, ...KeyBytes[]] = [
        await deriveBytes(current.key, purpose, info),
        ...(await Promise.all(older.map(({ key }) => deriveBytes(key, purpose, info)))),
      ];
      if (derived.size >= MAX_DERIVED) derived.clear();
      derived.set(name, bytes);
      return bytes;
    },

    async seal(purpose, { plain, context }) {
      const [current] = await masterKeys();
      const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
      const cipher = await crypto.subtle.encrypt(
        { name: "AES-GCM", iv, additionalData: encoder.encode(context) },
        await cipherKey(current, purpose),
        encoder.encode(plain),
      );
      return [FORMAT, current.id, toBase64Url(iv), toBase64Url(new Uint8Array(cipher))].join(".");
    },

    keyOf(sealed) {
      const id = sealedUnder(sealed);
      if (parts.some((part) => part.id === id)) return "known";
      return lostIds.includes(id) ? "lost" : "missing";
    },

    async open(purpose, { sealed, context }) {
      const [format, id, nonce, cipher] = sealed.split(".");
      const master = (await masterKeys()).find((known) => known.id === id);
      if (format !== FORMAT || !master || !nonce || !cipher) return null;
      try {
        const plain = await crypto.subtle.decrypt(
          { name: "AES-GCM", iv: fromBase64Url(nonce), additionalData: encoder.encode(context) },
          await cipherKey(master, purpose),
          fromBase64Url(cipher),
        );
        return decoder.decode(plain);
      } catch {
        return null;
      }
    },
  };
}

/**
 * Parses `MASTER_KEYS`: `id:base64,id:base64`, 32 bytes each, ids unique, the first is current.
 * @throws {TypeError} if the setting is malformed; the message begins with the setting's name and contains no key
 */
export function parseMasterKeys(setting: string): readonly [MasterKeyBytes, ...MasterKeyBytes[]] {
  const [current, ...older] = setting.split(",").map(parseMasterKey);
  if (!current) throw new TypeError("MASTER_KEYS is malformed: it has no key");
  const parts: [MasterKeyBytes, ...MasterKeyBytes[]] = [current, ...older];
  const ids = parts.map(({ id }) => id);
  const repeated = ids.find((id, at) => ids.indexOf(id) < at);
  if (repeated !== undefined)
    throw new TypeError(`MASTER_KEYS is malformed: it has the id ${repeated} twice`);
  const keys = parts.map(({ bytes }) => toBase64(bytes));
  const copy = ids.find((_id, at) => keys.indexOf(keys[at] ?? "") < at);
  if (copy !== undefined)
    throw new TypeError(`MASTER_KEYS is malformed: the key ${copy} is the same as another`);
  return parts;
}

function parseMasterKey(part: string, at: number): MasterKeyBytes {
  const nth = `key ${at + 1}`;
  if (part.trim() === "") throw new TypeError(`MASTER_KEYS is malformed: ${nth} is empty`);
  const [, id, base64] = /^\s*([^:]*):(.*?)\s*$/.exec(part) ?? [];
  if (id === undefined || base64 === undefined)
    throw new TypeError(`MASTER_KEYS is malformed: ${nth} has no id before a colon`);
  if (!/^[A-Za-z0-9_-]{1,32}$/.test(id))
    throw new TypeError(`MASTER_KEYS is malformed: the id of ${nth} must be 1 to 32 letters, digits, _ or -`);
  const bytes = /^[A-Za-z0-9+/]+={0,2}$/.test(base64) ? decodeBase64(base64) : null;
  if (bytes === null) throw new TypeError(`MASTER_KEYS is malformed: the key ${id} is not Base64`);
  if (bytes.length !== KEY_BYTES)
    throw new TypeError(
      `MASTER_KEYS is malformed: the key ${id} has ${bytes.length} bytes instead of ${KEY_BYTES}`,
    );
  return { id, bytes };
}

function decodeBase64(text: string): KeyBytes | null {
  try {
    return fromBase64(text);
  } catch {
    return null;
  }
}

async function importMasterKey({ id, bytes }: MasterKeyBytes): Promise<MasterKey> {
  return { id, key: await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveBits"]) };
}

async function deriveBytes(master: CryptoKey, purpose: KeyPurpose, info: string): Promise<KeyBytes> {
  const bits = await crypto.subtle.deriveBits(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: encoder.encode(`jornada ${purpose} ${info}`),
    },
    master,
    KEY_BYTES * 8,
  );
  return new Uint8Array(bits);
}
