import { Hono } from "hono";
import { SignJWT, exportJWK, generateKeyPair, importJWK } from "jose";
import { z } from "zod";
import { readBody } from "./problem.ts";
import type { Stage, State } from "./state.ts";

const order = z.strictObject({
  sub: z.string().min(1),
  phoneNumber: z.string().min(1),
  clientId: z.string().min(1),
  issuer: z.string().min(1),
  /** The token's `token_use`; "access" makes a token that an id token verifier must reject. */
  tokenUse: z.enum(["id", "access"]).default("id"),
  /** In seconds; negative for tokens that have expired. */
  expiresIn: z.int().default(3600),
});

/** A user pool for demos and tests: a JWKS, and tokens with Cognito's claims for anyone. */
export function identityRoutes({ state }: Stage) {
  const keys = openKeys(state);
  const jwks = async () => ({ keys: [(await keys("id")).publicJwk, (await keys("access")).publicJwk] });

  return (
    new Hono()
      .get("/sandbox/identity/:poolId/.well-known/jwks.json", async (c) => c.json(await jwks(), 200))
      // The JWKS path below the pool's issuer.
      .get("/:poolId/.well-known/jwks.json", async (c) => c.json(await jwks(), 200))
      .post("/sandbox/identity/token", async (c) => {
        const given = await readBody(c, order);
        // Tokens use the real clock, as their verifiers do.
        const iat = Math.floor(Date.now() / 1000);
        const shared = {
          sub: given.sub,
          iss: given.issuer,
          origin_jti: crypto.randomUUID(),
          event_id: crypto.randomUUID(),
          auth_time: iat,
        };
        const sign = async (use: "id" | "access", claims: Record<string, unknown>) => {
          const { kid, privateKey } = await keys(use);
          return new SignJWT({ ...shared, ...claims, jti: crypto.randomUUID() })
            .setProtectedHeader({ kid, alg: "RS256" })
            .setIssuedAt(iat)
            .setExpirationTime(iat + given.expiresIn)
            .sign(privateKey);
        };
        const idToken = await sign("id", {
          aud: given.clientId,
          token_use: given.tokenUse,
          "cognito:username": given.sub,
          phone_number: given.phoneNumber,
          phone_number_verified: true,
        });
        const accessToken = await sign("access", {
          client_id: given.clientId,
          token_use: "access",
          username: given.sub,
          scope: "aws.cognito.signin.user.admin",
        });
        return c.json({ idToken, accessToken }, 200);
      })
  );
}

type SigningKey = { kid: string; privateKey: CryptoKey; publicJwk: Record<string, unknown> };

type KeyUse = "id" | "access" | "operators";

/** A key for each use: as in a Cognito pool, one signs id tokens and another access tokens. Generated once and stored. */
export function openKeys(state: State) {
  const opened = new Map<string, Promise<SigningKey>>();
  return (use: KeyUse) => {
    const known = opened.get(use) ?? openKey(state, use);
    opened.set(use, known);
    return known;
  };
}

async function openKey(state: State, use: KeyUse): Promise<SigningKey> {
  const jwk = state.keys.get(use) ?? (await keyOfRuntime(use));
  state.keys.set(use, jwk);
  const privateKey = await importJWK(jwk, "RS256");
  if (privateKey instanceof Uint8Array) throw new Error("the signing key is not a key pair");
  const kid = btoa(
    String.fromCodePoint(...new Uint8Array(await crypto.subtle.digest("SHA-256", encode(jwk.n)))),
  );
  return { kid, privateKey, publicJwk: { alg: "RS256", e: jwk.e, kid, kty: "RSA", n: jwk.n, use: "sig" } };
}

const keysOfRuntime = new Map<KeyUse, Promise<JsonWebKey>>();

/** A new world in the same runtime signs with the same key: token verifiers may have cached it. */
function keyOfRuntime(use: KeyUse): Promise<JsonWebKey> {
  const key = keysOfRuntime.get(use) ?? makeKey();
  keysOfRuntime.set(use, key);
  return key;
}

async function makeKey(): Promise<JsonWebKey> {
  const { privateKey } = await generateKeyPair("RS256", { extractable: true });
  return { ...(await exportJWK(privateKey)), kty: "RSA" };
}

const encode = (text = "") => new TextEncoder().encode(text);
