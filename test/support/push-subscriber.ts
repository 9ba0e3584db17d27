/** A browser's push subscription with the private key to decrypt its messages (RFC 8291, RFC 8188). */
export type PushSubscriber = {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } };
  /** Decrypts a message body in Base64. */
  open: (body: string) => Promise<unknown>;
};

const encoder = new TextEncoder();

export async function createPushSubscriber(endpoint: string): Promise<PushSubscriber> {
  const pair = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  if (!("privateKey" in pair)) throw new Error("no key pair");
  const { privateKey } = pair;
  const point = new Uint8Array((await crypto.subtle.exportKey("raw", pair.publicKey)) as ArrayBuffer);
  const auth = crypto.getRandomValues(new Uint8Array(16));

  return {
    subscription: { endpoint, keys: { p256dh: base64Url(point), auth: base64Url(auth) } },
    async open(body) {
      const bytes = Uint8Array.from(atob(body), (letter) => letter.charCodeAt(0));
      // RFC 8188, section 2.1: salt, record size, key id length, key id, then a single record.
      const salt = bytes.slice(0, 16);
      const recordSize = new DataView(bytes.buffer).getUint32(16);
      const keyLength = bytes[20] ?? 0;
      const sender = bytes.slice(21, 21 + keyLength);
      const record = bytes.slice(21 + keyLength);
      if (keyLength !== 65 || record.length > recordSize) throw new Error("not an aes128gcm body");
      const theirs = await crypto.subtle.importKey(
        "raw",
        sender,
        { name: "ECDH", namedCurve: "P-256" },
        true,
        [],
      );
      const secret = new Uint8Array(
        await crypto.subtle.deriveBits(
          { name: "ECDH", public: theirs } as EcdhKeyDeriveParams,
          privateKey,
          256,
        ),
      );
      // RFC 8291, section 3.4.
      const info = new Uint8Array([...encoder.encode("WebPush: info\0"), ...point, ...sender]);
      const material = await derive(secret, { salt: auth, info, length: 32 });
      const keyBytes = await derive(material, {
        salt,
        info: encoder.encode("Content-Encoding: aes128gcm\0"),
        length: 16,
      });
      const iv = await derive(material, {
        salt,
        info: encoder.encode("Content-Encoding: nonce\0"),
        length: 12,
      });
      const key = await crypto.subtle.importKey("raw", keyBytes, "AES-GCM", false, ["decrypt"]);
      const padded = new Uint8Array(await crypto.subtle.decrypt({ name: "AES-GCM", iv }, key, record));
      // The last record ends with the delimiter 2 and zero padding.
      const end = padded.findLastIndex((byte) => byte !== 0);
      if (padded[end] !== 2) throw new Error("missing delimiter of the last record");
      return JSON.parse(new TextDecoder().decode(padded.slice(0, end)));
    },
  };
}

/** HKDF with SHA-256 (RFC 5869). */
async function derive(
  material: Uint8Array<ArrayBuffer>,
  { salt, info, length }: { salt: Uint8Array<ArrayBuffer>; info: Uint8Array<ArrayBuffer>; length: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const key = await crypto.subtle.importKey("raw", material, "HKDF", false, ["deriveBits"]);
  const bits = await crypto.subtle.deriveBits({ name: "HKDF", hash: "SHA-256", salt, info }, key, length * 8);
  return new Uint8Array(bits);
}

function base64Url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}
