import { Temporal } from "temporal-polyfill";
import { isInGoodStanding, type DriverRecord } from "../../db/queries/accounts/drivers.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { ChatResponse } from "../contract/voice.ts";

/** Instants stand in identifiers in as few letters as that allows. */
const INSTANT_RADIX = 36;

/**
 * The driver's identifier in the support chat: the phone number, the driver's random id, and when a sign-in of theirs last
 * ended. So the next owner of a number, who has another id, gets nothing of its former owner's chat, nor does an account
 * that is made anew, nor a sign-in that has ended. It never becomes an earlier one again, though sign-ins are forgotten.
 * @param present the one that they have by now; null if they never opened the chat
 */
export function chatIdentifier(
  { phoneNumber, id }: Pick<DriverRecord["row"], "phoneNumber" | "id">,
  { productName, present, endedAt }: { productName: string; present: string | null; endedAt: EpochMs | null },
): string {
  const base = `${productName.toLowerCase()}-${phoneNumber}-${id}`;
  const [, suffix = ""] = present?.split(`${id}-`) ?? [];
  const since = Math.max(parseInt(suffix, INSTANT_RADIX) || 0, endedAt ?? 0);
  return since === 0 ? base : `${base}-${since.toString(INSTANT_RADIX)}`;
}

/** The driver's identity in the support chat, proved by an HMAC over the identifier. */
export async function chatIdentity(
  record: Pick<DriverRecord, "row" | "profile">,
  {
    identifier,
    hmacKey,
    productName,
    now,
  }: { identifier: string; hmacKey: string; productName: string; now: EpochMs },
): Promise<ChatResponse> {
  const { row, profile } = record;
  const label = productName.toLowerCase();
  return {
    identifier,
    identifierHash: await hmacHex(hmacKey, identifier),
    name: row.name,
    email: row.flexEmail,
    phoneNumber: row.phoneNumber,
    attributes: {
      good_standing: isInGoodStanding(record, now),
      expiration_date: profile.serviceUntil === null ? null : dayOf(profile.serviceUntil, row.humanTimezone),
      human_region: row.humanRegion,
      account_connected: row.proxyInstalled,
    },
    label,
  };
}

/** `2026-11-22` in a time zone. */
function dayOf(at: EpochMs, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(timeZone).toPlainDate().toString();
}

async function hmacHex(secret: string, text: string): Promise<string> {
  const encoder = new TextEncoder();
  const hmac = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", encoder.encode(secret), hmac, false, ["sign"]);
  const mac = new Uint8Array(await crypto.subtle.sign("HMAC", key, encoder.encode(text)));
  return Array.from(mac, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
