import * as z from "zod";
import { findPoolUser, replacePoolPassword, type PoolUser } from "../../db/queries/identity.ts";
import { driverId, type DriverId } from "../../durable/engine/units.ts";
import { hkdf, isEqual, toUuid } from "./bytes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import { findPasswordFault } from "./password-policy.ts";
import { makeVerifier, N, pad, toInteger, type Verifier } from "./srp.ts";

const SALT_BYTES = 16;
const UUID_BYTES = 16;

/** Whoever a user name names: an account, or none, which then has a sub and a salt all the same. */
export type Account = { id: DriverId; user: PoolUser | null; phantom: Verifier };

const storedVerifier = z
  .object({ salt: z.string().regex(/^[0-9a-f]+$/), verifier: z.string().regex(/^[0-9a-f]+$/) })
  .transform(({ salt, verifier }): Verifier => ({
    salt: BigInt(`0x${salt}`),
    verifier: BigInt(`0x${verifier}`),
  }));

/**
 * Finds who a user name names. The phantom is made in either case, so that both take as long.
 * @param unknown what an unknown name is told under `preventUserExistenceErrors: LEGACY`
 */
export async function findAccount(
  pool: Pool,
  username: string,
  unknown = faults.unknownUser,
): Promise<Account> {
  const [user, phantom] = await Promise.all([findPoolUser(pool.db, username), makePhantom(pool, username)]);
  if (!user && pool.settings.preventUserExistenceErrors === "LEGACY") throw unknown();
  return { id: user?.id ?? phantom.id, user, phantom: phantom.verifier };
}

/**
 * A sub and a salt for a name without an account, the same ones each time. They come from the oldest master key, and
 * change only when that one is dropped.
 */
async function makePhantom(pool: Pool, username: string): Promise<{ id: DriverId; verifier: Verifier }> {
  const seeds = await pool.keys.derive("verifier", `phantom ${pool.poolId}`);
  const seed = seeds.at(-1) ?? seeds[0];
  const length = UUID_BYTES + SALT_BYTES + pad(N).length;
  const bytes = await hkdf(seed, { salt: new Uint8Array(), info: username, length });
  return {
    id: driverId.parse(toUuid(bytes.slice(0, UUID_BYTES))),
    verifier: {
      salt: toInteger(bytes.slice(UUID_BYTES, UUID_BYTES + SALT_BYTES)),
      verifier: toInteger(bytes.slice(UUID_BYTES + SALT_BYTES)) % N,
    },
  };
}

/**
 * Salt and verifier of an account; for none, the phantom's, after the same work.
 * @throws {Fault} `PasswordResetRequiredException` where the master key that sealed them was dropped
 */
export async function verifierOf(pool: Pool, account: Account): Promise<Verifier> {
  if (!account.user) {
    const sealed = await sealVerifier(pool, account.id, account.phantom);
    await openVerifier(pool, account.id, sealed);
    return account.phantom;
  }
  const verifier = await openVerifier(pool, account.id, account.user.password);
  if (!verifier) throw faults.resetRequired();
  return verifier;
}

/**
 * Null where the master key that sealed it was dropped.
 * @param owner the account's id, or a device's key
 */
export async function openVerifier(pool: Pool, owner: string, sealed: string): Promise<Verifier | null> {
  const plain = await pool.keys.open("verifier", { sealed, context: `password ${owner}` });
  return plain === null ? null : storedVerifier.parse(JSON.parse(plain));
}

/** Moves a seal under an older master key to the present one, so that the older can be dropped in time. */
export async function renewSeal(pool: Pool, user: PoolUser): Promise<void> {
  const verifier = await openVerifier(pool, user.id, user.password);
  if (!verifier) return;
  const renewed = await sealVerifier(pool, user.id, verifier);
  const isSameKey = renewed.split(".")[1] === user.password.split(".")[1];
  if (!isSameKey) await replacePoolPassword(pool.db, user.id, { from: user.password, to: renewed });
}

/** Seals what is stored of a password. @param owner the account's id, or a device's key */
export function sealVerifier(pool: Pool, owner: string, { salt, verifier }: Verifier): Promise<string> {
  const plain = JSON.stringify({ salt: salt.toString(16), verifier: verifier.toString(16) });
  return pool.keys.seal("verifier", { plain, context: `password ${owner}` });
}

/**
 * What is stored of a password.
 * @throws {Fault} `InvalidPasswordException` where the policy refuses it
 */
export async function enrolPassword(pool: Pool, id: DriverId, password: string): Promise<string> {
  const lack = findPasswordFault(password);
  if (lack) throw faults.weakPassword(lack);
  const salt = toInteger(pool.randomBytes(SALT_BYTES));
  return sealVerifier(pool, id, await makeVerifier({ pool: pool.name, user: id, password }, salt));
}

/** Whether the password makes the verifier. */
export async function isPasswordOf(
  pool: Pool,
  { id, password }: { id: DriverId; password: string },
  { salt, verifier }: Verifier,
): Promise<boolean> {
  const made = await makeVerifier({ pool: pool.name, user: id, password }, salt);
  return isEqual(pad(made.verifier), pad(verifier));
}

/** @throws {Fault} where the account may not sign in whatever its password: said before the password is looked at */
export function requireConfirmed(user: PoolUser | null): void {
  if (user?.status === "UNCONFIRMED") throw faults.unconfirmed();
  if (user?.status === "RESET_REQUIRED") throw faults.resetRequired();
}

/** @throws {Fault} `ResourceNotFoundException` for another client than the pool's one */
export function requireClient(pool: Pool, clientId: string): void {
  if (clientId !== pool.clientId) throw faults.unknownClient(clientId);
}
