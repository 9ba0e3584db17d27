import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { deployment } from "../harness.ts";

const CLIENT_ID = "secondclient";
const NOW = Date.UTC(2026, 10, 21, 12);
/** The minimum time between two reads of a key set, even if a token names an unknown key. */
const COOLDOWN_MS = 30_000;

beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: NOW }));
afterEach(() => void vi.useRealTimers());

type Key = { kid: string; privateKey: CryptoKey; publicJwk: object };

async function makeKey(kid: string): Promise<Key> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  return { kid, privateKey, publicJwk: { ...(await exportJWK(publicKey)), kid, alg: "RS256", use: "sig" } };
}

let poolCount = 0;

/** An external user pool with two keys, and a deployment that trusts only that pool. */
async function externalPool() {
  poolCount += 1;
  const poolId = `eu-west-1_Second${poolCount}`;
  const issuer = `https://cognito-idp.eu-west-1.amazonaws.com/${poolId}`;
  const published = [await makeKey("id-1"), await makeKey("access-1")];
  const fetches: string[] = [];
  const outside = {
    fetch: async (request: Request) => {
      fetches.push(new URL(request.url).pathname);
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
  /** 404 means that the token was accepted, since its user has no driver record. */
  const statusFor = async (token: string) => {
    const response = await api.fetch(`${api.origin}/flex/v1/user`, {
      headers: { authorization: `Bearer ${token}` },
    });
    return response.status;
  };
  return { issuer, published, fetches, sign, statusFor };
}

function toBase64Url(value: object): string {
  return btoa(JSON.stringify(value)).replaceAll("=", "").replaceAll("+", "-").replaceAll("/", "_");
}

describe("tokens of an external user pool", () => {
  it("are accepted with either of its keys, which are fetched once", async () => {
    const { published, fetches, sign, statusFor, issuer } = await externalPool();
    const [first, second] = published;
    expect([await statusFor(await sign(first)), await statusFor(await sign(second))]).toEqual([404, 404]);
    expect(fetches).toEqual([`${new URL(issuer).pathname}/.well-known/jwks.json`]);
  });

  it("are accepted after a key rotation: the new key is found with one more fetch", async () => {
    const { published, fetches, sign, statusFor } = await externalPool();
    await statusFor(await sign(published[0]));
    const fresh = await makeKey("id-2");
    published.splice(0, 1, fresh);
    vi.setSystemTime(NOW + COOLDOWN_MS);
    expect([await statusFor(await sign(fresh)), await statusFor(await sign(fresh))]).toEqual([404, 404]);
    expect(fetches).toHaveLength(2);
  });

  it("with unknown keys cause no new fetch before the cooldown has passed", async () => {
    const { published, fetches, sign, statusFor } = await externalPool();
    await statusFor(await sign(published[0]));
    const unknownKey = await makeKey("unknown");
    for (let time = 0; time < 5; time += 1) expect(await statusFor(await sign(unknownKey))).toBe(401);
    vi.setSystemTime(NOW + COOLDOWN_MS - 1);
    expect(await statusFor(await sign(unknownKey))).toBe(401);
    expect(fetches).toHaveLength(1);
    vi.setSystemTime(NOW + COOLDOWN_MS);
    expect(await statusFor(await sign(unknownKey))).toBe(401);
    expect(await statusFor(await sign(unknownKey))).toBe(401);
    expect(fetches).toHaveLength(2);
  });

  const seconds = Math.floor(NOW / 1000);
  it.each([
    ["of another issuer", { iss: "https://cognito-idp.eu-west-1.amazonaws.com/eu-west-1_Other" }],
    ["for another client", { aud: "otherclient" }],
    ["that are access tokens", { token_use: "access", aud: undefined, client_id: CLIENT_ID }],
    ["that expired longer ago than the clock tolerance", { exp: seconds - 31 }],
    ["that become valid later than the clock tolerance", { nbf: seconds + 31 }],
    ["without an expiry", { exp: undefined }],
    ["without a subject", { sub: undefined }],
  ])("are refused %s", async (_name, claims) => {
    const { published, sign, statusFor } = await externalPool();
    expect(await statusFor(await sign(published[0], claims))).toBe(401);
  });

  it("are accepted within the clock tolerance after their expiry", async () => {
    const { published, sign, statusFor } = await externalPool();
    expect(await statusFor(await sign(published[0], { exp: seconds - 29 }))).toBe(404);
  });

  it("are refused with the id of one key and the signature of another", async () => {
    const { published, sign, statusFor } = await externalPool();
    const [first, second] = published;
    expect(await statusFor(await sign(first, {}, { kid: second?.kid }))).toBe(401);
  });

  it("are refused without a signature, and with an HMAC made with the public key", async () => {
    const { published, sign, statusFor } = await externalPool();
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
    expect([await statusFor(unsigned), await statusFor(confused)]).toEqual([401, 401]);
  });
});
