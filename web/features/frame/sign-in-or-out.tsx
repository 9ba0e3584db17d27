import { useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { toast } from "sonner";
import { resetLive } from "../../api/live.ts";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { openSheet } from "./frame-store.ts";

/** Leaves, or goes to where one enters. */
export function SignInOrOut({ look = "plain" }: { look?: "plain" | "quiet" }) {
  const session = useSelector(sessionStore);
  const queryClient = useQueryClient();
  if (session === undefined) return null;
  if (!session) {
    return (
      <Link to="/login" className={buttonClass(look)}>
        {m.nav_sign_in()}
      </Link>
    );
  }
  const leave = async () => {
    openSheet(null);
    try {
      const { signOutHere } = await import("../../api/auth.ts");
      await signOutHere();
    } catch {
      toast(m.sign_out_failed(), { description: m.sign_out_failed_hint() });
    }
    resetLive();
    queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "config" });
  };
  return (
    <Button look="quiet" onClick={() => void leave()}>
      {m.nav_sign_out()}
    </Button>
  );
}
