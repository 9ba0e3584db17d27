import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { parseReferral } from "../../../worker/contract/account/user.ts";
import { createStored } from "../../api/cache/storage.ts";

export const storedReferral = {
  key: "referral",
  shape: z.object({ phone: z.string(), referral: z.string() }),
  upcasts: [unchanged],
};
const stored = createStored(storedReferral);

/** Keeps who referred somebody until their record is created, which may be on another day. */
export function saveReferral(phone: string, referral: string | undefined): void {
  if (referral === undefined) stored.remove();
  // Without storage the record is created without a referral.
  else stored.save({ phone, referral });
}

/** Null where it was kept for somebody else who registered on this device, or the API would refuse it. */
export function loadReferral(phone: string): string | null {
  const known = stored.load();
  return known?.phone === phone ? parseReferral(known.referral) : null;
}

export function clearReferral(): void {
  stored.remove();
}
