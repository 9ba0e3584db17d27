import { Temporal } from "temporal-polyfill";
import { isInGoodStanding, type DriverRecord } from "../../db/queries/accounts/drivers.ts";
import type { EpochMs } from "../../db/shapes/units.ts";
import type { ChatResponse } from "../contract/account/chat.ts";

/**
 * The driver's identity in the support chat, proved by an HMAC over an identifier made of the phone number and the driver's
 * random id. So the next owner of a number, who has another id, gets nothing of its former owner's chat, nor does an
 * account that is made anew.
 */
export async function chatIdentity(
  record: Pick<DriverRecord, "row" | "profile">,
  { hmacKey, productName, now }: { hmacKey: string; productName: string; now: EpochMs },
): Promise<ChatResponse> {
  const { row, profile } = record;
  const label = productName.toLowerCase();
  const identifier = `${label}-${row.phoneNumber}-${row.id}`;
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
