import * as z from "zod";
import { findPoolUser, replacePoolSeal, type PoolUser } from "../../db/queries/identity.ts";
import { driverId, type DriverId } from "../../durable/engine/units.ts";
import { hkdf, isEqual, toUuid } from "./bytes.ts";
import type { Pool } from "./context.ts";
import { faults } from "./faults.ts";
import { findPasswordFault } from "./password-policy.ts";
import { makeReady, makeVerifier, N, pad, toInteger, type ReadyVerifier, type Verifier } from "./srp.ts";

const SALT_BYTES = 16;
const UUID_BYTES = 16;

/** Whoever a user name names: an account, or none, which then has a sub and a salt all the same. */
export type Account = { id: DriverId; user: PoolUser | null; phantom: ReadyVerifier };

const number = z
  .string()
  .regex(/^[0-9a-f]+$/)
  .transform((hex) => BigInt(`0x${hex}`));

/** The three higher powers are left out where the password was set before they were stored. */
const storedVerifier = z
  .object({ salt: number, verifier: number, powers: z.tuple([number, number, number]).optional() })
  .transform(({ powers, ...rest }): ReadyVerifier =>
    powers ? { ...rest, teeth: [rest.verifier, ...powers] } : makeReady(rest),
  );

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
async function makePhantom(pool: Pool, username: string): Promise<{ id: DriverId; verifier: ReadyVerifier }> {
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
      teeth: [verifier, numberAt(1), numberAt(2), numberAt(3)],
    },
  };
}

/**
 * Salt and verifier of an account; for none, the phantom's, after the same work.
 * @throws {Fault} `PasswordResetRequiredException` where the master key that sealed them was dropped
 */
export async function verifierOf(pool: Pool, account: Account): Promise<ReadyVerifier> {
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
export async function openVerifier(pool: Pool, owner: string, sealed: string): Promise<ReadyVerifier | null> {
  const plain = await pool.keys.open("verifier", { sealed, context: `password ${owner}` });
  return plain === null ? null : storedVerifier.parse(JSON.parse(plain));
}

/** Moves seals under an older master key to the present one, so that the older can be dropped in time. */
export async function renewSeals(pool: Pool, user: PoolUser): Promise<void> {
  await renewSeal(pool, user, { column: "password", context: `password ${user.id}` });
  await renewSeal(pool, user, { column: "totpSecret", context: `totp ${user.id}` });
}

async function renewSeal(
  pool: Pool,
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

/** Seals what is stored of a password. @param owner the account's id, or a device's key */
export function sealVerifier(pool: Pool, owner: string, { salt, teeth }: ReadyVerifier): Promise<string> {
  const [verifier, ...powers] = teeth.map((tooth) => tooth.toString(16));
  const plain = JSON.stringify({ salt: salt.toString(16), verifier, powers });
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
  const verifier = await makeVerifier({ pool: pool.name, user: id, password }, salt);
  return sealVerifier(pool, id, makeReady(verifier));
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
