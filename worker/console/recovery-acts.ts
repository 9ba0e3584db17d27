import {
  afterRestoreEffects,
  countDrivers,
  countSessions,
  countSigningKeys,
  endSessionsEffects,
  listRenewedAgain,
  listReturned,
  listStrangers,
  revokeKeysEffects,
  rotateKeysEffects,
} from "../../db/queries/operators/recovery.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import { always } from "../../db/queries/operators/acts.ts";
import type { ConsoleContext, ActPlan } from "./acts.ts";
import { ApiError } from "../http/errors/api-error.ts";

/**
 * Everything that follows a restored database: the objects follow it, whoever was deleted since is deleted again, and
 * so are the objects of drivers that it does not know; renewals that were turned off since are off again, and all of
 * them wait for an owner's go. It can be repeated.
 */
export async function planAfterRestore({ db, deps }: ConsoleContext): ReturnType<ActPlan> {
  const record = deps.restoreRecord();
  if (!record) throw new ApiError("conflict");
  const now = deps.now();
  await record.holdRenewals(now);
  const returned = await listReturned(db, await record.listErasures());
  const renewedAgain = await listRenewedAgain(db, await record.listRenewalsOff());
  const [drivers, strangers] = await Promise.all([countDrivers(db), findStrangers({ db, deps })]);
  return {
    before: {
      drivers,
      strangers: strangers.length,
      returned: returned.length,
      renewedAgain: renewedAgain.length,
    },
    after: {
      drivers: drivers - returned.length,
      strangers: 0,
      returned: 0,
      renewedAgain: 0,
      renewalsHeld: true,
    },
    worthCents: 0,
    condition: always,
    effects: (where) => afterRestoreEffects(db, where, { strangers, returned, renewedAgain }),
  };
}

/** Drivers whose objects work on, and of whom the restored database knows nothing. */
async function findStrangers({ db, deps }: Pick<ConsoleContext, "db" | "deps">): Promise<DriverId[]> {
  const { watchers } = deps;
  const found = await Promise.all(
    watchers.all().map(async (number) => listStrangers(db, (await watchers.byNumber(number)?.list()) ?? [])),
  );
  return found.flat();
}

/** Lets renewals go on that wait since a restore. */
export async function planReleaseOfRenewals({ deps }: ConsoleContext): ReturnType<ActPlan> {
  const heldSince = (await deps.restoreRecord()?.renewalsHeldSince()) ?? null;
  if (heldSince === null) throw new ApiError("conflict");
  return {
    before: { heldSince },
    after: { heldSince: null },
    worthCents: 0,
    condition: always,
    effects: () => [],
  };
}

/** Revokes every key that signs tokens: after a leak. */
export async function planKeyRevocation({ db, deps }: ConsoleContext): ReturnType<ActPlan> {
  const keys = await countSigningKeys(db);
  return {
    before: { keys },
    after: { keys: 0 },
    worthCents: 0,
    condition: always,
    effects: (where) => revokeKeysEffects(db, where, deps.now()),
  };
}

/** Lets keys that sign tokens rotate before their time. */
export async function planKeyRotation({ db }: ConsoleContext): ReturnType<ActPlan> {
  const keys = await countSigningKeys(db);
  if (keys === 0) throw new ApiError("conflict");
  return {
    before: { keys },
    after: { keys, rotates: true },
    worthCents: 0,
    condition: always,
    effects: (where) => rotateKeysEffects(db, where),
  };
}

/** Signs every driver out. */
export async function planEndOfSessions({ db, deps }: ConsoleContext): ReturnType<ActPlan> {
  const sessions = await countSessions(db);
  return {
    before: { sessions },
    after: { sessions: 0 },
    worthCents: 0,
    condition: always,
    effects: (where) => endSessionsEffects(db, where, deps.now()),
  };
}
