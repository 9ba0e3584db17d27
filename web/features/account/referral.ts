import * as z from "zod/mini";

const STORAGE_KEY = "referral";

const storedReferral = z.object({ phone: z.string(), referral: z.string() });

/** Keeps who referred somebody until their record is created, which may be on another day. */
export function saveReferral(phone: string, referral: string | undefined): void {
  if (referral === undefined) return clearReferral();
  try {
    localStorage.setItem(STORAGE_KEY, JSON.stringify({ phone, referral }));
  } catch {
    // Without storage the record is created without a referral.
  }
}

/** Null where it was kept for somebody else who registered on this device. */
export function loadReferral(phone: string): string | null {
  try {
    const parsed = z.safeParse(storedReferral, JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "null"));
    return parsed.success && parsed.data.phone === phone ? parsed.data.referral : null;
  } catch {
    return null;
  }
}

export function clearReferral(): void {
  try {
    localStorage.removeItem(STORAGE_KEY);
  } catch {
    // Without storage nothing was kept.
  }
}
