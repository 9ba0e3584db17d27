import { toast } from "sonner";
import { signOut } from "../../api/auth.ts";
import { m } from "../../messages/messages.js";

/** Signs out. What was the driver's goes with the session (`use-session-start.ts`). */
export async function signOutWithToast(): Promise<void> {
  try {
    await signOut();
  } catch {
    toast(m.sign_out_failed(), { description: m.sign_out_failed_hint() });
  }
}
