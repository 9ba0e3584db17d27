import { noteDevice } from "../../db/queries/rewards/invitations.ts";
import type { Db } from "../../db/client.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import type { DriverId, EpochMs } from "../../db/shapes/units.ts";

const ID = /^[0-9a-f-]{36}$/;

/**
 * Notes the browser in which a driver registers or pays, so that nobody is rewarded for inviting themselves. Only a hash of
 * its id is kept. A page that names none is served all the same.
 */
export async function noteCallerDevice(
  db: Db,
  { driverId, device, now }: { driverId: DriverId; device: string | undefined; now: EpochMs },
): Promise<void> {
  if (device === undefined || !ID.test(device)) return;
  await noteDevice(db, { driverId, deviceHash: await sha256Hex(device), now });
}
