import * as z from "zod/mini";
import { epochMs } from "../../../db/shapes/units.ts";
import { referral } from "../account/user.ts";
import type { ApiRoute } from "../api-route.ts";

/** A friend's number as it is entered: ten digits, without the country. */
export const invitedNumber = z.string().check(z.regex(/^[0-9]{10}$/));

/** `unregistered`: nobody has registered with that number. `pending`: registered, without a paid plan yet. */
export const invitationStatus = z.enum(["unregistered", "pending", "completed"]);

export const invitation = z.object({
  id: z.string(),
  /** E.164; null for a friend who came by the link. */
  phoneNumber: z.nullable(z.string()),
  status: invitationStatus,
  /** The friend gets a day of service on registering, for the driver's points. */
  hasTrial: z.boolean(),
  /** The friend's plan was refunded, which took the free days back. */
  isRevoked: z.boolean(),
  /** When it was sent or, completed, when the free days came. */
  at: epochMs,
});
export type Invitation = z.infer<typeof invitation>;

/** GET /flex/v1/invitations: the newest 200. */
export const invitationsResponse = z.object({
  /** The driver's own link, which counts for whoever registers by it. */
  link: z.string(),
  invitations: z.array(invitation),
});
export type InvitationsResponse = z.infer<typeof invitationsResponse>;

/** Made anew for each time that a driver confirms; a repeated call with it does nothing twice, and gets the same answer. */
export const idempotencyKey = z.string().check(z.regex(/^[\w-]{8,64}$/));

/** POST /flex/v1/invitations. A page of a former release sends no key. */
export const invitationInput = z.object({
  phoneNumber: invitedNumber,
  idempotencyKey: z.optional(idempotencyKey),
});
export type InvitationInput = z.infer<typeof invitationInput>;

/** `isTexted`: the friend has our text now. False where the number had one before, so the driver sends the link. */
export const invitedResponse = z.object({ isTexted: z.boolean() });
export type InvitedResponse = z.infer<typeof invitedResponse>;

/** The referral in a driver's link. */
export const inviterParams = z.object({ referral });

/** GET /status/inviters/{referral}: all that a link says of the driver. Null where the referral is no driver's. */
export const inviterResponse = z.object({
  /** The first name as the invitation's text has it; null if nothing of it is left. */
  inviter: z.nullable(z.object({ name: z.nullable(z.string()) })),
});
export type InviterResponse = z.infer<typeof inviterResponse>;

/** Invitations. */
export const INVITATION_ROUTES = {
  "GET /status/inviters/{referral}": {
    summary: "The first name of the driver whose link a referral is.",
    auth: "none",
    params: inviterParams,
    responses: { 200: inviterResponse },
    errors: [],
  },
  "GET /flex/v1/invitations": {
    summary: "The driver's link, and whom they invited; newest first.",
    auth: "bearer",
    responses: { 200: invitationsResponse },
    errors: ["not_found"],
  },
  "POST /flex/v1/invitations": {
    summary: "Invites a number. It gets one text from us, whoever invites it.",
    auth: "bearer",
    body: invitationInput,
    responses: { 200: invitedResponse },
    errors: [
      "not_found",
      "own_number",
      "already_registered",
      "already_invited",
      "invitations_used_up",
      "rate_limited",
      "text_not_sent",
    ],
  },
} as const satisfies Record<string, ApiRoute>;
