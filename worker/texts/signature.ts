import { fromBase64 } from "../../durable/runtime/base64.ts";

/** A form that the gateway posts, and where it was told to post it. */
export type SignedForm = { url: string; form: URLSearchParams; signature: string };

/**
 * Whether the gateway signed a form: HMAC-SHA1 with the account's token over the address and every field, name and value,
 * ordered by name, in Base64. Some of its parts write the port where it is the usual one.
 */
export async function isSignedByGateway(
  { url, form, signature }: SignedForm,
  authToken: string,
): Promise<boolean> {
  const given = parseSignature(signature);
  if (given === null) return false;
  const encoder = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-1" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(authToken), hmac, false, ["verify"]);
  const fields = [...form].toSorted(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0)).flat();
  const checks = [url, withPort(url)].map((address) =>
    crypto.subtle.verify("HMAC", key, given, encoder.encode([address, ...fields].join(""))),
  );
  return (await Promise.all(checks)).includes(true);
}

function parseSignature(signature: string): Uint8Array<ArrayBuffer> | null {
  try {
    return fromBase64(signature);
  } catch {
    return null;
  }
}

function withPort(url: string): string {
  const { protocol, host, port } = new URL(url);
  if (port !== "") return url;
  return url.replace(`//${host}`, `//${host}:${protocol === "https:" ? 443 : 80}`);
}
