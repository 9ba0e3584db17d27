import type { QueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import { signOutHere } from "../../api/auth.ts";
import { resetLive } from "../../api/live.ts";
import { m } from "../../messages/messages.js";

/** Signs out, and forgets all that was the driver's. */
export async function leave(queryClient: QueryClient): Promise<void> {
  try {
    await signOutHere();
  } catch {
    toast(m.sign_out_failed(), { description: m.sign_out_failed_hint() });
  }
  resetLive();
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "config" });
}
