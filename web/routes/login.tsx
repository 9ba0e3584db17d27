import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { accountStore } from "../features/account/account-store.ts";
import { isSetupPath, parseReturnPath } from "../features/account/return-path.ts";
import { LoginForm } from "../features/account/login-form.tsx";
import { useRedirectWhenSignedIn } from "../features/account/use-redirect-when-signed-in.ts";
import { VerifyForm } from "../features/account/verify-form.tsx";
import { m } from "../messages/messages.js";

export const Route = createFileRoute("/login")({
  validateSearch: (given: { back?: string } & SearchSchemaInput): { back?: string } => {
    const returnPath = parseReturnPath(given.back);
    return returnPath ? { back: returnPath } : {};
  },
  component: Login,
});

function Login() {
  const { back: returnPath } = Route.useSearch();
  const unconfirmed = useSelector(accountStore, (state) => state.unconfirmed);
  useRedirectWhenSignedIn(returnPath);
  if (unconfirmed) return <VerifyForm credentials={unconfirmed} lead={m.login_unverified()} />;
  const lead = returnPath && (isSetupPath(returnPath) ? m.linking_unauthenticated() : m.signed_out_text());
  return <LoginForm lead={lead} />;
}
