import { deleteAccount } from "../../../db/queries/accounts/account-changes.ts";
import {
  findPoolUser,
  findSignInUser,
  replacePoolSeal,
  type PoolUser,
  type SealedColumn,
} from "../../../db/queries/identity/pool-users.ts";
import { driverId, type DriverId } from "../../../db/shapes/units.ts";
import { sealedUnder } from "../../../durable/runtime/keys.ts";
import { listAccountsToReseal } from "../../../db/queries/identity/master-keys.ts";
import { hkdf, toUuid } from "../bytes.ts";
import { totpContext } from "../mfa/second-factors.ts";
import { type PoolContext, noteEvent } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import type { OperationInput } from "../protocol/requests.ts";
import { N, pad, toInteger, type PrecomputedVerifier } from "../protocol/srp.ts";
import { requireFreshBearer } from "../tokens/bearer.ts";
import { announceChange } from "../tokens/sessions.ts";
import { resealSigningKeys } from "../tokens/signing-keys.ts";
import { guesserOf, knownGuessers, latestOf, refuseLocked } from "./guesses.ts";
import { presentMark } from "./known-browsers.ts";
import { openVerifier, sealVerifier, verifierContext, type MarkedVerifier } from "./verifiers.ts";

const SALT_BYTES = 16;
const UUID_BYTES = 16;

/** The account that a user name refers to. For an unknown name `user` is null and `id` is the decoy's. */
export type Account = { id: DriverId; user: PoolUser | null; decoy: PrecomputedVerifier };

/**
 * Looks up a user name: a phone number or a sub. The decoy is computed for known names too, so that the response time
 * doesn't reveal which ones exist.
 * @param unknown the error for an unknown name under `preventUserExistenceErrors: LEGACY`
 */
export async function findAccount(
  pool: PoolContext,
  username: string,
  unknown = cognitoErrors.unknownUser,
): Promise<Account> {
  const [user, decoy] = await Promise.all([findPoolUser(pool.db, username), makeDecoy(pool, username)]);
  if (!user && pool.settings.preventUserExistenceErrors === "LEGACY") throw unknown();
  return { id: user?.id ?? decoy.id, user, decoy: decoy.verifier };
}

/**
 * Looks up an account that wants to sign in, with its locks. Refuses locked and then unconfirmed ones before checking any
 * password or code.
 * @throws {CognitoError} `NotAuthorizedException` with the time when the lock ends, and as `requireConfirmed` does
 */
export async function findSignInAccount(pool: PoolContext, username: string): Promise<Account> {
  const decoy = await makeDecoy(pool, username);
  const asked = { decoyId: decoy.id, guessers: knownGuessers(pool), now: pool.now() };
  const { user, locks } = await findSignInUser(pool.db, username, asked);
  if (!user && pool.settings.preventUserExistenceErrors === "LEGACY") throw cognitoErrors.unknownUser();
  const account = { id: user?.id ?? decoy.id, user, decoy: decoy.verifier };
  const guesser = guesserOf(pool, { sub: account.id, mark: await presentMark(pool, user) });
  const own = locks.filter(({ subject }) => subject === guesser);
  await refuseLocked(pool, account.id, latestOf(own.map(({ until }) => until)));
  requireConfirmed(user);
  return account;
}

/**
 * A fake sub, salt and verifier for a name without an account, the same on every call. They derive from the oldest
 * master key, so they change only when that key is removed. The derivation label must never change: salts that all
 * change at once, except those of real accounts, would give the decoys away.
 */
async function makeDecoy(
  pool: PoolContext,
  username: string,
): Promise<{ id: DriverId; verifier: PrecomputedVerifier }> {
  const seeds = await pool.keys.derive("verifier", `phantom ${pool.poolId}`);
  const seed = seeds.at(-1) ?? seeds[0];
  const width = pad(N).length;
  const length = UUID_BYTES + SALT_BYTES + 4 * width;
  const bytes = await hkdf(seed, { salt: new Uint8Array(), info: username, length });
  const numberAt = (index: number) => {
    const start = UUID_BYTES + SALT_BYTES + index * width;
    return toInteger(bytes.slice(start, start + width)) % N;
  };
  const verifier = numberAt(0);
  return {
    id: driverId.parse(toUuid(bytes.slice(0, UUID_BYTES))),
    verifier: {
      salt: toInteger(bytes.slice(UUID_BYTES, UUID_BYTES + SALT_BYTES)),
      verifier,
      // No proof ever matches a decoy, so random numbers do in place of real powers.
      combPowers: [verifier, numberAt(1), numberAt(2), numberAt(3)],
    },
  };
}

/**
 * The verifier of an account, or the decoy's after the same amount of work.
 * @throws {CognitoError} `PasswordResetRequiredException` if the master key that sealed it was removed
 */
export async function loadVerifier(pool: PoolContext, account: Account): Promise<MarkedVerifier> {
  if (!account.user) {
    const sealed = await sealVerifier(pool, account.id, account.decoy);
    await openVerifier(pool, account.id, sealed);
    return { ...account.decoy, keepsBrowsers: true };
  }
  const verifier = await openVerifier(pool, account.id, account.user.password);
  if (!verifier) throw cognitoErrors.resetRequired();
  return verifier;
}

/** Re-encrypts secrets that an older master key sealed with the current one, so that the older one can be removed. */
export async function resealSecrets(pool: PoolContext, user: PoolUser): Promise<void> {
  await Promise.all([
    resealSecret(pool, user, { column: "password", context: verifierContext(user.id) }),
    resealSecret(pool, user, { column: "totpSecret", context: totpContext(user.id) }),
    resealSecret(pool, user, { column: "totpPending", context: totpContext(user.id) }),
  ]);
}

async function resealSecret(
  pool: PoolContext,
  user: PoolUser,
  { column, context }: { column: SealedColumn; context: string },
): Promise<void> {
  const sealed = user[column];
  if (sealed === null || sealedUnder(sealed) === pool.keys.currentId) return;
  const plain = await pool.keys.open("verifier", { sealed, context });
  if (plain === null) return;
  const resealed = await pool.keys.seal("verifier", { plain, context });
  await replacePoolSeal(pool.db, user.id, { column, from: sealed, to: resealed });
}

/**
 * Refuses an account that may not sign in whatever its password. Called before the password is checked.
 * @throws {CognitoError} `UserNotConfirmedException` or `PasswordResetRequiredException`
 */
export function requireConfirmed(user: PoolUser | null): void {
  if (user?.status === "UNCONFIRMED") throw cognitoErrors.unconfirmed();
  if (user?.status === "RESET_REQUIRED") throw cognitoErrors.resetRequired();
}

/** DeleteUser: deletes the caller's account and ends its sessions. */
export async function deleteUser(input: OperationInput<"DeleteUser">, pool: PoolContext): Promise<null> {
  const { user } = await requireFreshBearer(pool, input.AccessToken);
  await deleteAccount(pool.db, user.id, pool.now());
  await noteEvent(pool, "account_deleted", user.id);
  await announceChange(pool, user.id);
  return null;
}

/**
 * Seals what older master keys sealed under the current one: signing keys, and the secrets of some accounts. Run by a
 * cron until nothing is left, so that nobody has to sign in first.
 * @returns the number of checked accounts; fewer than `limit` if none is left
 */
export async function resealAllSecrets(
  pool: PoolContext,
  { lostIds, limit }: { lostIds: readonly string[]; limit: number },
): Promise<number> {
  await resealSigningKeys(pool);
  const accounts = await listAccountsToReseal(pool.db, { currentId: pool.keys.currentId, lostIds, limit });
  for (const user of accounts) await resealSecrets(pool, user);
  return accounts.length;
}
