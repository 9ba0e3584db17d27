import type { SecurityItem } from "../../../worker/contract/account/security.ts";
import { m } from "../../messages/messages.js";

/** The events of an account, in its owner's words. */
export const EVENT_LABELS = {
  registered: m.activity_registered,
  sign_in: m.activity_sign_in,
  sign_in_failed: m.activity_sign_in_failed,
  code_failed: m.activity_code_failed,
  locked: m.activity_locked,
  password_reset: m.activity_password_reset,
  password_changed: m.activity_password_changed,
  phone_changed: m.activity_phone_changed,
  factors_changed: m.activity_factors_changed,
  change_undone: m.activity_change_undone,
  signed_out: m.activity_signed_out,
  signed_out_everywhere: m.activity_signed_out_everywhere,
  session_reused: m.activity_session_reused,
  link_failed: m.activity_link_failed,
  link_paused: m.activity_link_paused,
  linked: m.activity_linked,
  unlinked: m.activity_unlinked,
  push_added: m.activity_push_added,
  calendar_added: m.activity_calendar_added,
  passkey_added: m.activity_passkey_added,
  passkey_removed: m.activity_passkey_removed,
  other: m.activity_other,
} satisfies Record<SecurityItem["event"], () => string>;

/** `Chrome on Android`. */
export function deviceLabel({ browser, system }: { browser: string | null; system: string | null }): string {
  if (browser !== null && system !== null) return m.sessions_device({ browser, system });
  return browser ?? system ?? m.sessions_unknown_device();
}
