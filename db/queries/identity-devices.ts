import { and, asc, eq, gt, isNotNull, isNull, lt, ne } from "drizzle-orm";
import type { DriverId, EpochMs } from "../shapes/units.ts";
import type { Db } from "../client.ts";
import { poolDevices, poolSessions } from "../identity-schema.ts";

/** A device's row. */
export type PoolDevice = typeof poolDevices.$inferSelect;

/** From now on a refresh of the session must name the device. */
export async function bindSessionToDevice(
  db: Db,
  { originJti, deviceKey }: { originJti: string; deviceKey: string },
): Promise<void> {
  await db.update(poolSessions).set({ deviceKey }).where(eq(poolSessions.originJti, originJti));
}

/** Adds a device, and sweeps away those that were offered to the account before `staleBefore` and never confirmed. */
export async function addPoolDevice(db: Db, device: PoolDevice, staleBefore: EpochMs): Promise<void> {
  await db.batch([
    db
      .delete(poolDevices)
      .where(
        and(
          eq(poolDevices.userId, device.userId),
          isNull(poolDevices.password),
          lt(poolDevices.createdAt, staleBefore),
        ),
      ),
    db.insert(poolDevices).values(device),
  ]);
}

/** A device of the account, confirmed or not; null where it has none of the name. */
export async function findPoolDevice(
  db: Db,
  { userId, deviceKey }: { userId: DriverId; deviceKey: string },
): Promise<PoolDevice | null> {
  const [device] = await db
    .select()
    .from(poolDevices)
    .where(and(eq(poolDevices.deviceKey, deviceKey), eq(poolDevices.userId, userId)));
  return device ?? null;
}

/** Confirmed devices in the order of their keys, from behind `after`. */
export function listPoolDevices(
  db: Db,
  { userId, after, limit }: { userId: DriverId; after: string; limit: number },
): Promise<PoolDevice[]> {
  return db
    .select()
    .from(poolDevices)
    .where(
      and(eq(poolDevices.userId, userId), isNotNull(poolDevices.password), gt(poolDevices.deviceKey, after)),
    )
    .orderBy(asc(poolDevices.deviceKey))
    .limit(limit);
}

/** Changes fields of a device. */
export async function updatePoolDevice(
  db: Db,
  deviceKey: string,
  change: Partial<Pick<PoolDevice, "password" | "name" | "remembered" | "modifiedAt" | "authenticatedAt">>,
): Promise<void> {
  await db.update(poolDevices).set(change).where(eq(poolDevices.deviceKey, deviceKey));
}

/** Forgets a device: its other sign-ins are revoked, the one that asks goes on without it. */
export async function deletePoolDevice(
  db: Db,
  { deviceKey, originJti, now }: { deviceKey: string; originJti: string; now: EpochMs },
): Promise<void> {
  await db.batch([
    db
      .update(poolSessions)
      .set({ revokedAt: now })
      .where(
        and(
          eq(poolSessions.deviceKey, deviceKey),
          ne(poolSessions.originJti, originJti),
          isNull(poolSessions.revokedAt),
        ),
      ),
    db.update(poolSessions).set({ deviceKey: null }).where(eq(poolSessions.originJti, originJti)),
    db.delete(poolDevices).where(eq(poolDevices.deviceKey, deviceKey)),
  ]);
}
