import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import { accountStore, useKeptAccount } from "../features/account/account-store.ts";
import { ForgotForm, ResetForm } from "../features/account/new-password.tsx";
import { useRedirectWhenSignedIn } from "../features/account/use-redirect-when-signed-in.ts";

export const Route = createFileRoute("/forgot-password")({ component: ForgotPassword });

function ForgotPassword() {
  const { resettingPhone } = useKeptAccount();
  // Signing in forgets it before the screen is left.
  const [back] = useState(() => accountStore.get().back);
  useRedirectWhenSignedIn(back);
  return resettingPhone ? <ResetForm phone={resettingPhone} /> : <ForgotForm />;
}
