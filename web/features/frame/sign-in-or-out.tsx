import { Link } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { sessionStore } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { openSheet } from "./frame-store.ts";

/** Leaves, or goes to where one enters; the menu that it may stand in closes. */
export function SignInOrOut({ look = "plain" }: { look?: "plain" | "quiet" }) {
  const session = useSelector(sessionStore);
  const close = () => openSheet(null);
  if (session === undefined) return null;
  if (!session) {
    return (
      <Link to="/login" onClick={close} className={buttonClass(look)}>
        {m.nav_sign_in()}
      </Link>
    );
  }
  const exit = async () => {
    close();
    const { leave } = await import("../session/leave.ts");
    await leave();
  };
  return (
    <Button look="quiet" onClick={() => void exit()}>
      {m.nav_sign_out()}
    </Button>
  );
}
