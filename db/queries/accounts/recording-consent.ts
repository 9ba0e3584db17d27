import { eq } from "drizzle-orm";
import type { DriverId, EpochMs } from "../../shapes/units.ts";
import type { Db } from "../../client.ts";
import { users } from "../../schema/drivers.ts";

/** Stores whether a driver lets their sessions be recorded. */
export async function storeRecordingConsent(
  db: Db,
  { driverId, consent, at }: { driverId: DriverId; consent: boolean; at: EpochMs },
): Promise<void> {
  await db
    .update(users)
    .set({ recordingConsent: consent, recordingConsentAt: at })
    .where(eq(users.id, driverId));
}
