import { createFileRoute } from "@tanstack/react-router";
import { useKeptAccount } from "../features/account/account-store.ts";
import { ForgotForm, ResetForm } from "../features/account/new-password.tsx";
import { useRedirectWhenSignedIn } from "../features/account/use-redirect-when-signed-in.ts";

export const Route = createFileRoute("/forgot-password")({ component: ForgotPassword });

function ForgotPassword() {
  const { resettingPhone } = useKeptAccount();
  useRedirectWhenSignedIn(undefined);
  return resettingPhone ? <ResetForm phone={resettingPhone} /> : <ForgotForm />;
}
