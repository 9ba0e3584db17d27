import { createFileRoute } from "@tanstack/react-router";
import { useKeptAccount } from "../features/account/account-store.ts";
import { ForgotForm } from "../features/account/forgot-form.tsx";
import { ResetForm } from "../features/account/reset-form.tsx";
import { useRedirectWhenSignedIn } from "../features/account/use-redirect-when-signed-in.ts";

export const Route = createFileRoute("/forgot-password")({ component: ForgotPassword });

function ForgotPassword() {
  const { resettingPhone } = useKeptAccount();
  useRedirectWhenSignedIn(undefined);
  return resettingPhone ? <ResetForm phone={resettingPhone} /> : <ForgotForm />;
}
