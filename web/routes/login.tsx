import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { accountStore } from "../features/account/account-store.ts";
import { isForSetup, readBack } from "../features/account/back.ts";
import { LoginForm } from "../features/account/login-form.tsx";
import { useLeave } from "../features/account/use-leave.ts";
import { VerifyForm } from "../features/account/verify-form.tsx";
import { m } from "../messages/messages.js";

export const Route = createFileRoute("/login")({
  validateSearch: (given: { back?: string } & SearchSchemaInput): { back?: string } => {
    const back = readBack(given.back);
    return back ? { back } : {};
  },
  component: Login,
});

function Login() {
  const { back } = Route.useSearch();
  const unconfirmed = useSelector(accountStore, (state) => state.unconfirmed);
  useLeave(back);
  if (unconfirmed) return <VerifyForm credentials={unconfirmed} lead={m.login_unverified()} />;
  const lead = back && (isForSetup(back) ? m.linking_unauthenticated() : m.signed_out_text());
  return <LoginForm lead={lead} />;
}
