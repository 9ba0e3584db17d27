import { createFileRoute } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { accountStore } from "../features/account/account-store.ts";
import { ForgotForm } from "../features/account/forgot-form.tsx";
import { ResetForm } from "../features/account/reset-form.tsx";
import { useLeave } from "../features/account/use-leave.ts";

export const Route = createFileRoute("/forgot-password")({ component: ForgotPassword });

function ForgotPassword() {
  const resetting = useSelector(accountStore, (state) => state.resetting);
  useLeave(undefined);
  return resetting ? <ResetForm phone={resetting} /> : <ForgotForm />;
}
