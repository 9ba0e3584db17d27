import { toast } from "sonner";
import { signOut } from "../../api/auth.ts";
import { m } from "../../messages/messages.js";

/** Signs out; the driver's cached data is cleared with the session (`use-restore-session.ts`). */
export async function signOutWithToast(): Promise<void> {
  try {
    await signOut();
  } catch {
    toast(m.sign_out_failed(), { description: m.sign_out_failed_hint() });
  }
}
