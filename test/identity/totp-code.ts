/** An authenticator app: the current code for a base32 secret (RFC 6238). Independent of the pool's implementation. */
export async function codeFromSecret(secret: string): Promise<string> {
  const bits = Array.from(secret, (letter) =>
    "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567".indexOf(letter).toString(2).padStart(5, "0"),
  ).join("");
  const bytes = Uint8Array.from(bits.match(/.{8}/g) ?? [], (eight) => Number.parseInt(eight, 2));
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-1" }, false, ["sign"]);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setUint32(4, Math.floor(Date.now() / 30_000));
  const digest = new DataView(await crypto.subtle.sign("HMAC", key, counter));
  const number = digest.getUint32(digest.getUint8(19) % 16) % 2 ** 31;
  return String(number % 1_000_000).padStart(6, "0");
}
