import * as z from "zod/mini";
import { unchanged } from "../../../db/shapes/versioned.ts";
import { createStored } from "../../api/storage.ts";

export const storedReferral = {
  key: "referral",
  shape: z.object({ phone: z.string(), referral: z.string() }),
  upcasts: [unchanged],
};
const stored = createStored(storedReferral);

/** Keeps who sent somebody here until their record is made, which may be on another day. */
export function saveReferral(phone: string, referral: string | undefined): void {
  if (referral === undefined) stored.remove();
  // Without storage the record is made without it.
  else stored.save({ phone, referral });
}

/** Whoever else signs in on this device was not sent by them. */
export function loadReferral(phone: string): string | null {
  const known = stored.load();
  return known?.phone === phone ? known.referral : null;
}

export function clearReferral(): void {
  stored.remove();
}
