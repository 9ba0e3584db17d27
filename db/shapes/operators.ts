import * as z from "zod/mini";
import { readsAs } from "./tolerant.ts";

/**
 * `owner`: everything. `support`: helps drivers, with phone numbers masked until it asks and a limit on money. One of a
 * later release reads as the one that may do less; what an operator may do is decided by the server anyway.
 */
export const operatorRole = readsAs(z.enum(["owner", "support"]), "support");
export type OperatorRole = z.infer<typeof operatorRole>;

/** An operator's acts. One that another deployment wrote reads as `other`. */
export const ACT_KINDS = [
  "days",
  "points",
  "refund",
  "refund_failed",
  "special_price",
  "end_price",
  "sign_out",
  "unlink",
  "disable",
  "enable",
  "test_text",
  "resend_text",
  "show_phone",
  "check_payment",
  "end_renewal",
  "unlock",
  "change_number",
  "export_data",
  "erase",
  "ask",
  "decline",
  "sale",
  "end_sale",
  "list_price",
  "city_spots",
  "announce",
  "end_announcement",
  "resolve_error",
  "reopen_error",
  "raffle",
  "end_raffle",
  "draw",
  "export",
  "after_restore",
  "release_renewals",
  "revoke_keys",
  "rotate_keys",
  "compensate_raffle",
  "end_sessions",
  "other",
] as const;
export const actKind = z.enum(ACT_KINDS);
export type ActKind = z.infer<typeof actKind>;

/** Checks of who somebody is. At least two come before a change of their number. */
export const IDENTITY_CHECKS = [
  "platform_email",
  "last_payment",
  "last_block",
  "warehouses",
  "video_call",
] as const;
export const identityCheck = z.enum(IDENTITY_CHECKS);
export type IdentityCheck = z.infer<typeof identityCheck>;

/** The subject of an act, or the state before and after it: plain figures and words that name no driver. */
export const actFacts = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]));
export type ActFacts = z.infer<typeof actFacts>;

/** Facts as they were stored; what is none reads as no facts. */
export function readActFacts(stored: unknown): ActFacts {
  const known = z.safeParse(actFacts, stored);
  return known.success ? known.data : {};
}
