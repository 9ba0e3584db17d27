import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deployment } from "./harness.ts";

const CLIENT_ID = "secondclient";
const NOW = Date.UTC(2026, 10, 21, 12);
/** So long jose leaves a key set alone after it was read, whatever unknown key a token names. */
const COOLDOWN_MS = 30_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterEach(() => void vi.useRealTimers());

type Key = { kid: string; privateKey: CryptoKey; publicJwk: object };

async function makeKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } };
}

let pools = 0;

/** Another user pool, outside, with two keys; and the API that trusts it and no other. */
async function secondIssuer() {
  pools += 1;
  const poolId = `eu-west-1_Second${pools}`;
  const issuer = `https://cognito-idp.eu-west-1.amazonaws.com/${poolId}`;
  const published = [await makeKey("id-1"), await makeKey("access-1")];
  const reads: string[] = [];
  const outside = {
    fetch: async (request: Request) => {
      reads.push(new URL(request.url).pathname);
      return Response.json({ keys: published.map(({ publicJwk }) => publicJwk) });
    },
  };
  const api = deployment({ COGNITO_POOL_ID: poolId, COGNITO_CLIENT_ID: CLIENT_ID, SANDBOX: outside });

  const sign = (key: Key | undefined, claims: Record<string, unknown> = {}, header: object = {}) => {
    if (!key) throw new Error("no such key");
    const now = Math.floor(Date.now() / 1000);
    return new SignJWT({
      sub: "somebody",
      iss: issuer,
      aud: CLIENT_ID,
      token_use: "id",
      iat: now,
      exp: now + 3600,
      phone_number: "+15550109999",
      ...claims,
    })
      .setProtectedHeader({ alg: "RS256", kid: key.kid, ...header })
      .sign(key.privateKey);
  };
  /** 404 says that the token was good: it is of somebody without a record. */
  const show = async (token: string) => {
    const answer = await api.fetch(`${api.origin}/flex/v1/user`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return answer.status;
  };
  return { issuer, published, reads, sign, show };
}

function toBase64Url(value: object): string {
  return btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
}

describe("tokens of another user pool", () => {
  it("are taken by either of its keys, which are read once", async () => {
    const { published, reads, sign, show, issuer } = await secondIssuer();
    const [first, second] = published;
    expect([await show(await sign(first)), await show(await sign(second))]).toEqual([404, 404]);
    expect(reads).toEqual([`${new URL(issuer).pathname}/.well-known/jwks.json`]);
  });

  it("are taken after the pool changed its keys: a new one is found by reading once more", async () => {
    const { published, reads, sign, show } = await secondIssuer();
    await show(await sign(published[0]));
    const fresh = await makeKey("id-2");
    published.splice(0, 1, fresh);
    vi.setSystemTime(NOW + COOLDOWN_MS);
    expect([await show(await sign(fresh)), await show(await sign(fresh))]).toEqual([404, 404]);
    expect(reads).toHaveLength(2);
  });

  it("with unknown keys make nobody read the keys again before the cooldown is over", async () => {
    const { published, reads, sign, show } = await secondIssuer();
    await show(await sign(published[0]));
    const stranger = await makeKey("unknown");
    for (let time = 0; time < 5; time += 1) expect(await show(await sign(stranger))).toBe(401);
    vi.setSystemTime(NOW + COOLDOWN_MS - 1);
    expect(await show(await sign(stranger))).toBe(401);
    expect(reads).toHaveLength(1);
    vi.setSystemTime(NOW + COOLDOWN_MS);
    expect(await show(await sign(stranger))).toBe(401);
    expect(await show(await sign(stranger))).toBe(401);
    expect(reads).toHaveLength(2);
  });

  const seconds = Math.floor(NOW / 1000);
  it.each([
    ["of another issuer", { iss: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Other" }],
    ["for another client", { aud: "otherclient" }],
    ["for access", { token_use: "access", aud: undefined, client_id: CLIENT_ID }],
    ["that ended longer ago than clocks differ", { exp: seconds - 31 }],
    ["that count from later than clocks differ", { nbf: seconds + 31 }],
    ["without an end", { exp: undefined }],
    ["without an owner", { sub: undefined }],
  ])("are refused %s", async (_name, claims) => {
    const { published, sign, show } = await secondIssuer();
    expect(await show(await sign(published[0], claims))).toBe(401);
  });

  it("are taken a moment after their end: clocks differ", async () => {
    const { published, sign, show } = await secondIssuer();
    expect(await show(await sign(published[0], { exp: seconds - 29 }))).toBe(404);
  });

  it("are refused with the name of one key and the signature of another", async () => {
    const { published, sign, show } = await secondIssuer();
    const [first, second] = published;
    expect(await show(await sign(first, {}, { kid: second?.kid }))).toBe(401);
  });

  it("are refused unsigned, and signed with the public key as if it were a secret", async () => {
    const { published, sign, show } = await secondIssuer();
    const [first] = published;
    const payload = (await sign(first)).split(".")[1] ?? "";
    const unsigned = `${toBase64Url({ alg: "none", kid: first?.kid })}.${payload}.`;
    const signed = `${toBase64Url({ alg: "HS256", kid: first?.kid })}.${payload}`;
    const secret = new TextEncoder().encode(JSON.stringify(first?.publicJwk));
    const key = await crypto.subtle.importKey("raw", secret, { name: "HMAC", hash: "SHA-256" }, false, [
      "sign",
    ]);
    const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, new TextEncoder().encode(signed)));
    const confused = `${signed}.${btoa(String.fromCharCode(...mac))
      .replaceAll("=", "")
      .replaceAll("+", "-")
      .replaceAll("/", "_")}`;
    expect([await show(unsigned), await show(confused)]).toEqual([401, 401]);
  });
});
