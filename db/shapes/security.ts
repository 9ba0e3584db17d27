import * as z from "zod/mini";

/** Events in a driver's part of the security log. A word that a page doesn't know is shown as other activity. */
export const SECURITY_EVENTS = [
  "registered",
  "sign_in",
  "sign_in_failed",
  "code_failed",
  "locked",
  "password_reset",
  "password_changed",
  "phone_changed",
  "factors_changed",
  "change_undone",
  "signed_out",
  "signed_out_everywhere",
  "session_reused",
  "link_failed",
  "link_paused",
  "linked",
  "unlinked",
  "push_added",
  "calendar_added",
  "passkey_added",
  "passkey_removed",
] as const;
export type SecurityEventName = (typeof SECURITY_EVENTS)[number];

/** A name of the log; an unknown one, of a newer version, is `other`. */
// oxlint-disable-next-line promise/valid-params -- not a promise's: the value in place of one that doesn't match
export const securityEventName = z.catch(z.enum([...SECURITY_EVENTS, "other"]), "other");
