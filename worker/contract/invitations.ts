import * as z from "zod/mini";
import { epochMs } from "../../db/shapes/units.ts";

/** A friend's number as it is entered: ten digits, without the country. */
export const invitedNumber = z.string().check(z.regex(/^[0-9]{10}$/));

/** `unregistered`: nobody has registered with that number. `pending`: registered, without a paid plan yet. */
export const invitationStatus = z.enum(["unregistered", "pending", "completed"]);
export type InvitationStatus = z.infer<typeof invitationStatus>;

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

/** POST /flex/v1/invitations. */
export const invitationInput = z.strictObject({ phoneNumber: invitedNumber });
export type InvitationInput = z.infer<typeof invitationInput>;

/** `isTexted`: the friend has our text now. False where the number had one before, so the driver sends the link. */
export const invitedResponse = z.object({ isTexted: z.boolean() });
export type InvitedResponse = z.infer<typeof invitedResponse>;
