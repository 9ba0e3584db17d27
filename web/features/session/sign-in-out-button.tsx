import { Link, useRouter } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { sessionStore } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { openSheet } from "../ui-state/ui-store.ts";

/** Signs out, or links to the sign-in screen. Closes the menu that it may be in. */
export function SignInOutButton({ variant = "plain" }: { variant?: "plain" | "quiet" }) {
  const session = useSelector(sessionStore);
  const router = useRouter();
  const close = () => openSheet(null);
  // Its place is kept until it is known which of the two it is.
  if (session === undefined)
    return <span className={buttonClass(variant, "invisible")}>{m.nav_sign_in()}</span>;
  if (!session) {
    return (
      <Link to="/login" onClick={close} className={buttonClass(variant)}>
        {m.nav_sign_in()}
      </Link>
    );
  }
  const signOut = async () => {
    close();
    const { signOutAndGoHome } = await import("./sign-out.ts");
    await signOutAndGoHome(router);
  };
  return (
    <Button variant="quiet" onClick={() => void signOut()}>
      {m.nav_sign_out()}
    </Button>
  );
}
