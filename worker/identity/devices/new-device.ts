import { addPoolDevice, findPoolDevice } from "../../../db/queries/identity-devices.ts";
import type { PoolUser } from "../../../db/queries/identity.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { toHex, toUuid } from "../bytes.ts";
import type { PoolContext } from "../pool-context.ts";
import { cognitoErrors } from "../protocol/errors.ts";

/** @throws {Fault} `ResourceNotFoundException` where the client names a device that the account doesn't have */
export async function requireKnownDevice(
  pool: PoolContext,
  user: PoolUser,
  deviceKey: string | null,
): Promise<void> {
  if (deviceKey === null) return;
  const device = await findPoolDevice(pool.db, { userId: user.id, deviceKey });
  if (!device) throw cognitoErrors.unknownDevice();
}

/** A device that the client may confirm after a sign-in without one; null where the pool tracks none. */
export async function createDevice(
  pool: PoolContext,
  user: PoolUser,
): Promise<{ DeviceKey: string; DeviceGroupKey: string } | null> {
  if (pool.settings.devices === "off") return null;
  const now = pool.now();
  const region = pool.poolId.slice(0, pool.poolId.indexOf("_"));
  const deviceKey = `${region.slice(0, 18)}_${toUuid(pool.randomBytes(16))}`;
  const groupKey = `-${toHex(pool.randomBytes(5)).slice(0, 9)}`;
  const device = {
    deviceKey,
    userId: user.id,
    groupKey,
    password: null,
    name: null,
    remembered: false,
    createdAt: now,
    modifiedAt: now,
    authenticatedAt: now,
  };
  await addPoolDevice(pool.db, device, now - DAY_MS);
  return { DeviceKey: deviceKey, DeviceGroupKey: groupKey };
}
