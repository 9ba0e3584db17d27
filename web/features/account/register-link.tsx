import { Link } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";
import { useInviter } from "./inviter.ts";

/** Leads visitors to the registration, with the referral of the link that they came by. */
export function RegisterLink({ className }: { className: string }) {
  return (
    <Link to="/register" search={{ referral: useInviter() }} className={className}>
      {m.nav_register()}
    </Link>
  );
}
