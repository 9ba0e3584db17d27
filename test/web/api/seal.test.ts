import { expect, it } from "vitest";
import { importSealKey, seal } from "../../../web/api/client/seal.ts";

const rawKey = new Uint8Array(32).fill(7);
const id = btoa("a distribution id of 24b");
const nonce = new Uint8Array(16).fill(3);

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));

async function unseal(data: string, context: string): Promise<unknown> {
  const encoder = new TextEncoder();
  const digest = await crypto.subtle.digest("SHA-256", new Uint8Array([...encoder.encode(id), ...nonce]));
  const key = await crypto.subtle.importKey("raw", rawKey, "AES-GCM", false, ["decrypt"]);
  const plain = await crypto.subtle.decrypt(
    { name: "AES-GCM", iv: digest.slice(0, 12), additionalData: encoder.encode(context) },
    key,
    bytesOf(data),
  );
  return JSON.parse(new TextDecoder().decode(plain));
}

it("seals a body that only the same method and path open", async () => {
  const key = await importSealKey(id, btoa(String.fromCharCode(...rawKey)));
  const route = "PATCH /flex/v1/user";
  const sealed = await seal(key, { route, nonce, at: 1000, caller: "ana", body: { mode: "secure" } });
  expect({ v: sealed.v, id: sealed.id, nonce: sealed.nonce }).toEqual({
    v: 1,
    id,
    nonce: btoa(String.fromCharCode(...nonce)),
  });
  expect(await unseal(sealed.data, route)).toEqual({ at: 1000, caller: "ana", body: { mode: "secure" } });
  await expect(unseal(sealed.data, "PUT /flex/v1/user")).rejects.toThrow();
});
