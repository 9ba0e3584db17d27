import { m } from "../../messages/messages.js";

/** `Chrome on Android`. */
export function deviceLabel({ browser, system }: { browser: string | null; system: string | null }): string {
  if (browser !== null && system !== null) return m.sessions_device({ browser, system });
  return browser ?? system ?? m.sessions_unknown_device();
}
