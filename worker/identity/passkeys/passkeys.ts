import type { AccountNotice } from "../../../db/queries/accounts/account-notices.ts";
import {
  findSessionPasskey,
  listPasskeys,
  listRecoveries,
  removePasskey,
  renamePasskey,
  type Passkey,
} from "../../../db/queries/identity/passkeys.ts";
import { findPoolUser, type PoolUser } from "../../../db/queries/identity/pool-users.ts";
import { DAY_MS, type DriverId, type DurationMs, type EpochMs } from "../../../db/shapes/units.ts";
import type { PoolContext } from "../pool-context.ts";
import { undo } from "../accounts/undo.ts";
import { announceChange } from "../tokens/sessions.ts";
import { isBusy, type PasskeyCaller } from "./registration.ts";

/** How long after a password that a texted code set no passkey is removed, unless by one from before. */
export const RECOVERY_WAIT_MS: DurationMs = DAY_MS;

/** An account's passkeys as one of its sessions sees them. */
export type PasskeyList = {
  passkeys: Passkey[];
  /** The passkey that signed this session in; null if another way did. */
  current: string | null;
  /** From when on this session removes passkeys; null if now. */
  removableFrom: EpochMs | null;
  /** When the password was set by a texted code, if this session may undo it. */
  recoveredAt: EpochMs | null;
};

/** The passkeys of an account, and what a session may do about them. */
export async function viewPasskeys(pool: PoolContext, caller: PasskeyCaller): Promise<PasskeyList> {
  const [passkeys, standing] = await Promise.all([
    listPasskeys(pool.db, caller.userId),
    loadStanding(pool, caller),
  ]);
  return {
    passkeys,
    current: standing.own?.id ?? null,
    removableFrom: removableFrom(pool, standing),
    recoveredAt: undoableRecovery(standing)?.changedAt ?? null,
  };
}

/** A session's own passkey and the account's recoveries of the last seven days: they decide what it may do. */
type Standing = { own: Passkey | null; recoveries: AccountNotice[] };

async function loadStanding(pool: PoolContext, caller: PasskeyCaller): Promise<Standing> {
  const [own, recoveries] = await Promise.all([
    findSessionPasskey(pool.db, caller),
    listRecoveries(pool.db, caller.userId, pool.now()),
  ]);
  return { own, recoveries };
}

/** The first recovery since the session's passkey was added: a passkey undoes only what came after it. */
function undoableRecovery({ own, recoveries }: Standing): AccountNotice | null {
  return recoveries.find(({ changedAt }) => own !== null && own.createdAt < changedAt) ?? null;
}

/** A session waits after a recovery by text, unless a passkey from before it signed in. */
function removableFrom(pool: PoolContext, { own, recoveries }: Standing): EpochMs | null {
  const last = recoveries.at(-1);
  if (!last || (own !== null && own.createdAt < last.changedAt)) return null;
  const from = last.changedAt + RECOVERY_WAIT_MS;
  return from > pool.now() ? from : null;
}

/** The account whose passkey a session wants to remove, and the facts that decide whether it may. */
export type PasskeyRemoval = { user: PoolUser | null; standing: Standing; isTooMuch: boolean };

/** The facts that decide whether a passkey may be removed. */
export async function loadPasskeyRemoval(pool: PoolContext, caller: PasskeyCaller): Promise<PasskeyRemoval> {
  const [user, standing, isTooMuch] = await Promise.all([
    findPoolUser(pool.db, caller.userId),
    loadStanding(pool, caller),
    isBusy(pool, caller.userId),
  ]);
  return { user, standing, isTooMuch };
}

/**
 * Removes a passkey of an account.
 * @param removal what was just read of it, or is read first
 * @returns `waiting` within a day of a recovery
 */
export async function endPasskey(
  pool: PoolContext,
  caller: PasskeyCaller,
  { id, removal }: { id: string; removal?: PasskeyRemoval | undefined },
): Promise<"removed" | "waiting" | "busy" | "gone"> {
  const { user, standing, isTooMuch } = removal ?? (await loadPasskeyRemoval(pool, caller));
  if (!user) return "gone";
  if (removableFrom(pool, standing) !== null) return "waiting";
  if (isTooMuch) return "busy";
  const change = { user, originJti: caller.originJti, now: pool.now() };
  if (!(await removePasskey(pool.db, id, change))) return "gone";
  await announceChange(pool, user.id);
  return "removed";
}

/** @returns false if the account has no such passkey */
export function namePasskey(
  pool: PoolContext,
  passkey: { id: string; userId: DriverId; name: string },
): Promise<boolean> {
  return renamePasskey(pool.db, passkey);
}

/**
 * Undoes a recovery by text for somebody who signed in with a passkey from before it: like the link in the text, but that
 * this session stays.
 * @returns `none` if there is no such recovery, or the session is of no such passkey; else like `undoAccountChange`
 */
export async function undoRecovery(
  pool: PoolContext,
  caller: PasskeyCaller,
): Promise<"undone" | "gone" | "taken" | "none"> {
  const recovery = undoableRecovery(await loadStanding(pool, caller));
  if (!recovery) return "none";
  return undo(pool, recovery, caller.originJti);
}

/** The recovery by text after which a passkey was removed, while it can be undone; null if none came between. */
export async function findRecoveryBefore(
  pool: PoolContext,
  { userId, createdAt, removedAt }: Passkey,
): Promise<AccountNotice | null> {
  const recoveries = await listRecoveries(pool.db, userId, pool.now());
  const isBetween = ({ changedAt }: AccountNotice) =>
    removedAt !== null && createdAt < changedAt && changedAt <= removedAt;
  return recoveries.find(isBetween) ?? null;
}
