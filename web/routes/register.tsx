import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { parseReferral } from "../../worker/contract/user.ts";
import { accountStore } from "../features/account/account-store.ts";
import { RegisterForm } from "../features/account/register-form.tsx";
import { useRedirectWhenSignedIn } from "../features/account/use-redirect-when-signed-in.ts";
import { VerifyForm } from "../features/account/verify-form.tsx";

export const Route = createFileRoute("/register")({
  // The router parses a referral of digits as a number.
  validateSearch: (given: { referral?: string } & SearchSchemaInput): { referral?: string } => {
    const referral = parseReferral(String(given.referral ?? ""));
    return referral === null ? {} : { referral };
  },
  component: Register,
});

function Register() {
  const { referral } = Route.useSearch();
  const unconfirmed = useSelector(accountStore, (state) => state.unconfirmed);
  useRedirectWhenSignedIn(undefined);
  if (unconfirmed) return <VerifyForm credentials={unconfirmed} />;
  return <RegisterForm referral={referral} />;
}
