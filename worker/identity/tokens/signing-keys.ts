import { exportJWK, generateKeyPair, importJWK, type JSONWebKeySet } from "jose";
import * as z from "zod";
import type { KeyUse } from "../../../db/schema/identity.ts";
import {
  addSigningKey,
  deleteSigningKeys,
  loadSigningKeys,
  replaceSigningKeySeal,
  type SigningKeyRow,
} from "../../../db/queries/identity/signing-keys.ts";
import { DAY_MS, MINUTE_MS, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import { toBase64 } from "../../../durable/runtime/base64.ts";
import { sealedUnder } from "../../../durable/runtime/keys.ts";
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

/** How long a key signs before the next one is made. */
const ROTATION_MS: DurationMs = 90 * DAY_MS;
/**
 * How long a key stands in the JWKS before it signs: who caches the JWKS (ours says five minutes, libraries keep it for
 * ten minutes to a day) knows it by then.
 */
const PUBLISHED_BEFORE_MS: DurationMs = DAY_MS;
/** How much longer than its last token a key stays in the JWKS, since clocks differ. */
const RETIRE_LEEWAY_MS: DurationMs = 10 * MINUTE_MS;

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
  const [id, access] = await Promise.all(USES.map((use) => openSigningKey(pool, use, rows)));
  if (!id || !access) throw new Error("a signing key that was just created does not open");
  return { id, access };
}

/**
 * The public keys as served at `<issuer>/.well-known/jwks.json`: those that sign, those that will, and those whose last
 * tokens haven't expired. Creates the first ones.
 */
export async function publicKeySet(pool: PoolContext): Promise<JSONWebKeySet> {
  return toKeySet(liveKeys(pool, await ensureKeyRows(pool)));
}

/** The public keys that tokens of this use may have been signed with. Creates none. */
export async function verificationKeySet(pool: PoolContext, use: KeyUse): Promise<JSONWebKeySet> {
  const rows = liveKeys(pool, await (pool.keyRows ?? loadSigningKeys(pool.db)));
  return toKeySet(rows.filter(({ keyUse }) => keyUse === use));
}

/**
 * Makes the next keys where it is time, and deletes those that are retired or revoked. Run by a cron.
 * @returns how many keys were made and deleted
 */
export async function maintainSigningKeys(pool: PoolContext): Promise<{ made: number; deleted: number }> {
  const now = pool.now();
  let made = 0;
  for (const keyUse of USES) {
    const rows = (await loadSigningKeys(pool.db)).filter((row) => row.keyUse === keyUse);
    const newest = rows.find(({ revokedAt }) => revokedAt === null);
    if (!newest || newest.rotatesAt > now) continue;
    const generation = (rows[0]?.generation ?? -1) + 1;
    const next = await makeKey(pool, { keyUse, generation, signsFrom: now + PUBLISHED_BEFORE_MS });
    if (await addSigningKey(pool.db, next)) made += 1;
  }
  const rows = await loadSigningKeys(pool.db);
  const live = new Set(liveKeys(pool, rows).map(({ kid }) => kid));
  const gone = rows.filter(({ kid, signsFrom }) => !live.has(kid) && signsFrom <= now).map(({ kid }) => kid);
  await deleteSigningKeys(pool.db, gone);
  return { made, deleted: gone.length };
}

/** The key of a use that signs now: the newest one whose time has come. */
function currentKey(rows: readonly SigningKeyRow[], use: KeyUse, now: EpochMs): SigningKeyRow | undefined {
  return rows.find(
    ({ keyUse, signsFrom, revokedAt }) => keyUse === use && signsFrom <= now && revokedAt === null,
  );
}

/** The keys that belong into the JWKS. `rows` are ordered newest first. */
function liveKeys(pool: PoolContext, rows: readonly SigningKeyRow[]): SigningKeyRow[] {
  const now = pool.now();
  const outlivesSigningMs = pool.limits.tokenLifetimeSeconds * 1000 + RETIRE_LEEWAY_MS;
  return rows.filter((row) => {
    if (row.revokedAt !== null) return false;
    const successor = rows.findLast(
      ({ keyUse, generation, revokedAt }) =>
        keyUse === row.keyUse && generation > row.generation && revokedAt === null,
    );
    return !successor || successor.signsFrom + outlivesSigningMs > now;
  });
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

/** The call, with the signing keys being read beside what it begins with: it will sign tokens. */
export function readingKeys(pool: PoolContext): PoolContext {
  const keyRows = loadSigningKeys(pool.db);
  // The caller who needs them hears of a failure.
  keyRows.catch(() => {});
  return { ...pool, keyRows };
}

async function ensureKeyRows(pool: PoolContext): Promise<SigningKeyRow[]> {
  const rows = await (pool.keyRows ?? loadSigningKeys(pool.db));
  const openable = await Promise.all(USES.map((use) => openSigningKey(pool, use, rows)));
  if (openable.every((key) => key !== null)) return rows;
  for (const [i, keyUse] of USES.entries()) {
    if (openable[i]) continue;
    const newest = rows.find((row) => row.keyUse === keyUse);
    const generation = (newest?.generation ?? -1) + 1;
    await addSigningKey(pool.db, await makeKey(pool, { keyUse, generation, signsFrom: pool.now() }));
  }
  return loadSigningKeys(pool.db);
}

async function openSigningKey(
  pool: PoolContext,
  use: KeyUse,
  rows: readonly SigningKeyRow[],
): Promise<SigningKey | null> {
  const row = currentKey(rows, use, pool.now());
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

/** Seals private keys that an older master key sealed under the current one. */
export async function resealSigningKeys(pool: PoolContext): Promise<void> {
  for (const { kid, privateKey } of await loadSigningKeys(pool.db)) {
    if (sealedUnder(privateKey) === pool.keys.currentId) continue;
    const plain = await pool.keys.open("signing", { sealed: privateKey, context: kid });
    if (plain === null) continue;
    const resealed = await pool.keys.seal("signing", { plain, context: kid });
    await replaceSigningKeySeal(pool.db, { kid, privateKey: resealed });
  }
}

async function makeKey(
  pool: PoolContext,
  key: Pick<SigningKeyRow, "keyUse" | "generation" | "signsFrom">,
): Promise<SigningKeyRow> {
  const { privateKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const jwk = privateJwk.parse(await exportJWK(privateKey));
  const kid = toBase64(pool.randomBytes(KID_BYTES));
  const sealed = await pool.keys.seal("signing", { plain: JSON.stringify(jwk), context: kid });
  return {
    ...key,
    kid,
    privateKey: sealed,
    modulus: jwk.n,
    createdAt: pool.now(),
    rotatesAt: key.signsFrom + ROTATION_MS,
    revokedAt: null,
  };
}
