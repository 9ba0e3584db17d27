import { createCipheriv, createDecipheriv, hash, hkdfSync } from "node:crypto";

/** A key whose operations take no time: HKDF and AES-GCM. */
class LocalKey {
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }
}

type Bytes = Uint8Array | ArrayBuffer;
type Cipher = { iv: Bytes; additionalData?: Bytes };

const TAG_BYTES = 16;

/**
 * WebCrypto in no time: what seals tokens is computed at once, so that no thread decides what happens first; all else
 * (the curves of Web Push) goes to the real one through `realWork`.
 */
export function createSimulatedSubtle(
  real: SubtleCrypto,
  realWork: <Result>(work: () => Promise<Result>) => Promise<Result>,
) {
  const local = {
    async importKey(format: string, bytes: Bytes, algorithm: string | { name: string }, ...rest: unknown[]) {
      const name = typeof algorithm === "string" ? algorithm : algorithm.name;
      if (format === "raw" && (name === "HKDF" || name === "AES-GCM"))
        return new LocalKey(toBytes(bytes).slice());
      return realWork(() => Reflect.apply(real.importKey, real, [format, bytes, algorithm, ...rest]));
    },
    async deriveBits(algorithm: { salt: Bytes; info: Bytes }, key: unknown, bits: number) {
      if (!(key instanceof LocalKey))
        return realWork(() => Reflect.apply(real.deriveBits, real, [algorithm, key, bits]));
      return hkdfSync("sha256", key.bytes, toBytes(algorithm.salt), toBytes(algorithm.info), bits / 8);
    },
    async encrypt({ iv, additionalData }: Cipher, key: unknown, plain: Bytes) {
      if (!(key instanceof LocalKey)) throw new TypeError("a key of another kind");
      const cipher = createCipheriv(cipherOf(key), key.bytes, toBytes(iv));
      if (additionalData) cipher.setAAD(toBytes(additionalData));
      return toBuffer(Buffer.concat([cipher.update(toBytes(plain)), cipher.final(), cipher.getAuthTag()]));
    },
    async decrypt({ iv, additionalData }: Cipher, key: unknown, sealed: Bytes) {
      if (!(key instanceof LocalKey)) throw new TypeError("a key of another kind");
      const bytes = toBytes(sealed);
      const decipher = createDecipheriv(cipherOf(key), key.bytes, toBytes(iv));
      if (additionalData) decipher.setAAD(toBytes(additionalData));
      decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
      return toBuffer(Buffer.concat([decipher.update(bytes.subarray(0, -TAG_BYTES)), decipher.final()]));
    },
    async digest(_name: string, bytes: Bytes) {
      return toBuffer(hash("sha256", toBytes(bytes), "buffer"));
    },
  };
  return new Proxy(local, {
    get: (target, name) => {
      if (Reflect.has(target, name)) return Reflect.get(target, name);
      return (...args: unknown[]) =>
        realWork(async (): Promise<unknown> => Reflect.apply(Reflect.get(real, name), real, args));
    },
  });
}

function cipherOf({ bytes }: LocalKey): "aes-128-gcm" | "aes-256-gcm" {
  return bytes.length === 16 ? "aes-128-gcm" : "aes-256-gcm";
}

function toBytes(bytes: Bytes): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
}

function toBuffer(bytes: Uint8Array): ArrayBuffer {
  const copy = new ArrayBuffer(bytes.byteLength);
  new Uint8Array(copy).set(bytes);
  return copy;
}
