import type { useRouter } from "@tanstack/react-router";
import { toast } from "../../ui/toast.ts";
import { signOut } from "../../api/session/auth.ts";
import { m } from "../../messages/messages.js";

/**
 * Goes home and signs out: on the driver's own screens, a page without a session asks to sign in. The driver's cached data
 * and support chat are cleared with the session (`use-restore-session.ts`).
 */
export async function signOutAndGoHome(router: ReturnType<typeof useRouter>): Promise<void> {
  await router.navigate({ to: "/" });
  await signOut().catch(() => toast(m.sign_out_failed(), { description: m.sign_out_failed_hint() }));
}
