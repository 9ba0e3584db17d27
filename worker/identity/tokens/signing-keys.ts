import { exportJWK, generateKeyPair, importJWK, type JSONWebKeySet } from "jose";
import * as z from "zod";
import type { KeyUse } from "../../../db/identity-schema.ts";
import { addSigningKey, loadSigningKeys, type SigningKeyRow } from "../../../db/queries/identity.ts";
import { toBase64 } from "../../../durable/runtime/base64.ts";
import type { PoolContext } from "../pool-context.ts";

const ALGORITHM = "RS256";
const EXPONENT = "AQAB";
const KID_BYTES = 32;
const USES: readonly KeyUse[] = ["id", "access"];
const MAX_IMPORTED_KEYS = 16;

const privateJwk = z.object({
  kty: z.literal("RSA"),
  n: z.string(),
  e: z.literal(EXPONENT),
  d: z.string(),
  p: z.string(),
  q: z.string(),
  dp: z.string(),
  dq: z.string(),
  qi: z.string(),
});

/** A private key and its id. */
export type SigningKey = { kid: string; key: CryptoKey };

/** Imported private keys by id, one import per isolate. */
const importedKeys = new Map<string, CryptoKey>();

/**
 * The current signing keys: one for id tokens, one for access tokens. Creates them on first use, or again if the master
 * key that sealed them was removed. If several callers create them at once, all of them use the first caller's.
 */
export async function loadOrCreateSigningKeys(pool: PoolContext): Promise<Record<KeyUse, SigningKey>> {
  const rows = await ensureKeyRows(pool);
  const [id, access] = await Promise.all(USES.map((use) => openNewestKey(pool, use, rows)));
  if (!id || !access) throw new Error("a signing key that was just created does not open");
  return { id, access };
}

/** The public keys of all generations, as served at `<issuer>/.well-known/jwks.json`. Creates them if there are none. */
export async function publicKeySet(pool: PoolContext): Promise<JSONWebKeySet> {
  return toKeySet(await ensureKeyRows(pool));
}

/** The public keys that tokens may have been signed with. Creates none. */
export async function verificationKeySet(pool: PoolContext): Promise<JSONWebKeySet> {
  return toKeySet(await loadSigningKeys(pool.db));
}

function toKeySet(rows: readonly SigningKeyRow[]): JSONWebKeySet {
  return {
    keys: rows.map(({ kid, modulus }) => ({
      alg: ALGORITHM,
      e: EXPONENT,
      kid,
      kty: "RSA",
      n: modulus,
      use: "sig",
    })),
  };
}

async function ensureKeyRows(pool: PoolContext): Promise<SigningKeyRow[]> {
  const rows = await loadSigningKeys(pool.db);
  const openable = await Promise.all(USES.map((use) => openNewestKey(pool, use, rows)));
  if (openable.every((key) => key !== null)) return rows;
  for (const [i, keyUse] of USES.entries()) {
    if (openable[i]) continue;
    const newest = rows.find((row) => row.keyUse === keyUse);
    await addSigningKey(pool.db, await makeKey(pool, keyUse, (newest?.generation ?? -1) + 1));
  }
  return loadSigningKeys(pool.db);
}

async function openNewestKey(
  pool: PoolContext,
  use: KeyUse,
  rows: readonly SigningKeyRow[],
): Promise<SigningKey | null> {
  const row = rows.find(({ keyUse }) => keyUse === use);
  if (!row) return null;
  const plain = await pool.keys.open("signing", { sealed: row.privateKey, context: row.kid });
  if (plain === null) return null;
  const known = importedKeys.get(row.kid);
  if (known) return { kid: row.kid, key: known };
  const key = await importJWK(privateJwk.parse(JSON.parse(plain)), ALGORITHM);
  if (key instanceof Uint8Array) return null;
  if (importedKeys.size >= MAX_IMPORTED_KEYS) importedKeys.clear();
  importedKeys.set(row.kid, key);
  return { kid: row.kid, key };
}

async function makeKey(pool: PoolContext, keyUse: KeyUse, generation: number): Promise<SigningKeyRow> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = privateJwk.parse(await exportJWK(privateKey));
  const kid = toBase64(pool.randomBytes(KID_BYTES));
  const sealed = await pool.keys.seal("signing", { plain: JSON.stringify(jwk), context: kid });
  return { keyUse, generation, kid, privateKey: sealed, modulus: jwk.n, createdAt: pool.now() };
}
