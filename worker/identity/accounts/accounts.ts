import * as z from "zod";
import { findPoolUser, replacePoolSeal, type PoolUser } from "../../../db/queries/identity.ts";
import { driverId, type DriverId } from "../../../db/shapes/units.ts";
import { hkdf, isEqual, toUuid } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";
import { findPasswordIssue } from "./password-policy.ts";
import {
  precompute,
  makeVerifier,
  N,
  pad,
  toInteger,
  type PrecomputedVerifier,
  type Verifier,
} from "../sign-in/srp.ts";

const SALT_BYTES = 16;
const UUID_BYTES = 16;

/** Whoever a user name names: an account, or none, which then has a sub and a salt all the same. */
export type Account = { id: DriverId; user: PoolUser | null; decoy: PrecomputedVerifier };

const hexNumber = z
  .string()
  .regex(/^[0-9a-f]+$/)
  .transform((hex) => BigInt(`0x${hex}`));

/** The three higher powers are left out where the password was set before they were stored. */
const storedVerifier = z
  .object({
    salt: hexNumber,
    verifier: hexNumber,
    powers: z.tuple([hexNumber, hexNumber, hexNumber]).optional(),
  })
  .transform(({ powers, ...rest }): PrecomputedVerifier =>
    powers ? { ...rest, combPowers: [rest.verifier, ...powers] } : precompute(rest),
  );

/**
 * Finds who a user name names. The phantom is made in either case, so that both take as long.
 * @param unknown what an unknown name is told under `preventUserExistenceErrors: LEGACY`
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
 * A sub and a salt for a name without an account, the same ones each time. They come from the oldest master key, and
 * change only when that one is dropped.
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
  const numberAt = (place: number) => {
    const start = UUID_BYTES + SALT_BYTES + place * width;
    return toInteger(bytes.slice(start, start + width)) % N;
  };
  const verifier = numberAt(0);
  return {
    id: driverId.parse(toUuid(bytes.slice(0, UUID_BYTES))),
    verifier: {
      salt: toInteger(bytes.slice(UUID_BYTES, UUID_BYTES + SALT_BYTES)),
      verifier,
      // No proof is ever right for it, so its powers need not be powers.
      combPowers: [verifier, numberAt(1), numberAt(2), numberAt(3)],
    },
  };
}

/**
 * Salt and verifier of an account; for none, the phantom's, after the same work.
 * @throws {Fault} `PasswordResetRequiredException` where the master key that sealed them was dropped
 */
export async function loadVerifier(pool: PoolContext, account: Account): Promise<PrecomputedVerifier> {
  if (!account.user) {
    const sealed = await sealVerifier(pool, account.id, account.decoy);
    await openVerifier(pool, account.id, sealed);
    return account.decoy;
  }
  const verifier = await openVerifier(pool, account.id, account.user.password);
  if (!verifier) throw cognitoErrors.resetRequired();
  return verifier;
}

/**
 * Null where the master key that sealed it was dropped.
 */
export async function openVerifier(
  pool: PoolContext,
  owner: string,
  sealed: string,
): Promise<PrecomputedVerifier | null> {
  const plain = await pool.keys.open("verifier", { sealed, context: `password ${owner}` });
  return plain === null ? null : storedVerifier.parse(JSON.parse(plain));
}

/** Moves seals under an older master key to the present one, so that the older can be dropped in time. */
export async function resealSecrets(pool: PoolContext, user: PoolUser): Promise<void> {
  await resealSecret(pool, user, { column: "password", context: `password ${user.id}` });
  await resealSecret(pool, user, { column: "totpSecret", context: `totp ${user.id}` });
}

async function resealSecret(
  pool: PoolContext,
  user: PoolUser,
  { column, context }: { column: "password" | "totpSecret"; context: string },
): Promise<void> {
  const sealed = user[column];
  if (sealed === null) return;
  const plain = await pool.keys.open("verifier", { sealed, context });
  if (plain === null) return;
  const renewed = await pool.keys.seal("verifier", { plain, context });
  const isSameKey = renewed.split(".")[1] === sealed.split(".")[1];
  if (!isSameKey) await replacePoolSeal(pool.db, user.id, { column, from: sealed, to: renewed });
}

/** Seals what is stored of a password. */
export function sealVerifier(
  pool: PoolContext,
  owner: string,
  { salt, combPowers }: PrecomputedVerifier,
): Promise<string> {
  const [verifier, ...powers] = combPowers.map((tooth) => tooth.toString(16));
  const plain = JSON.stringify({ salt: salt.toString(16), verifier, powers });
  return pool.keys.seal("verifier", { plain, context: `password ${owner}` });
}

/**
 * What is stored of a password.
 * @throws {Fault} `InvalidPasswordException` where the policy refuses it
 */
export async function sealPassword(pool: PoolContext, id: DriverId, password: string): Promise<string> {
  const issue = findPasswordIssue(password);
  if (issue) throw cognitoErrors.weakPassword(issue);
  const salt = toInteger(pool.randomBytes(SALT_BYTES));
  const verifier = await makeVerifier({ pool: pool.name, user: id, password }, salt);
  return sealVerifier(pool, id, precompute(verifier));
}

/** Whether the password makes the verifier. */
export async function matchesPassword(
  pool: PoolContext,
  { id, password }: { id: DriverId; password: string },
  { salt, verifier }: Verifier,
): Promise<boolean> {
  const made = await makeVerifier({ pool: pool.name, user: id, password }, salt);
  return isEqual(pad(made.verifier), pad(verifier));
}

/** @throws {Fault} where the account may not sign in whatever its password: said before the password is looked at */
export function requireConfirmed(user: PoolUser | null): void {
  if (user?.status === "UNCONFIRMED") throw cognitoErrors.unconfirmed();
  if (user?.status === "RESET_REQUIRED") throw cognitoErrors.resetRequired();
}

/** @throws {Fault} `ResourceNotFoundException` for another client than the pool's one */
export function requireClient(pool: PoolContext, clientId: string): void {
  if (clientId !== pool.clientId) throw cognitoErrors.unknownClient(clientId);
}
