import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { toast } from "sonner";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { openSheet } from "./frame-store.ts";

/** Leaves, or goes to where one enters; the menu that it may stand in closes. */
export function SignInOrOut() {
  const session = useSelector(sessionStore);
  const close = () => openSheet(null);
  if (session === undefined) return null;
  if (!session) {
    return (
      <Link to="/login" onClick={close} className={buttonClass("plain")}>
        {m.nav_sign_in()}
      </Link>
    );
  }
  const leave = async () => {
    close();
    try {
      const { signOutHere } = await import("../../api/auth.ts");
      await signOutHere();
    } catch {
      toast(m.sign_out_failed(), { description: m.sign_out_failed_hint() });
    }
  };
  return (
    <Button look="quiet" onClick={() => void leave()}>
      {m.nav_sign_out()}
    </Button>
  );
}
