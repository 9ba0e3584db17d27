import { createFileRoute } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { accountStore } from "../features/account/account-store.ts";
import { ForgotForm } from "../features/account/forgot-form.tsx";
import { ResetForm } from "../features/account/reset-form.tsx";
import { useRedirectWhenSignedIn } from "../features/account/use-redirect-when-signed-in.ts";

export const Route = createFileRoute("/forgot-password")({ component: ForgotPassword });

function ForgotPassword() {
  const resettingPhone = useSelector(accountStore, (state) => state.resettingPhone);
  useRedirectWhenSignedIn(undefined);
  return resettingPhone ? <ResetForm phone={resettingPhone} /> : <ForgotForm />;
}
