import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { referral as referralShape } from "../../worker/contract/account/user.ts";
import { useKeptAccount } from "../features/account/account-store.ts";
import { useInviter } from "../features/account/inviter.ts";
import { RegisterForm } from "../features/account/register-form.tsx";
import { useRedirectWhenSignedIn } from "../features/account/use-redirect-when-signed-in.ts";
import { searchParam } from "../features/navigation/search-param.ts";
import { StartStrip } from "../features/start/start-strip.tsx";
import { VerifyForm } from "../features/account/verify-form.tsx";

// The router parses a referral of digits as a number.
const search = z.object({
  referral: searchParam(
    z.pipe(z.pipe(z.union([z.string(), z.number()]), z.transform(String)), referralShape),
  ),
});

export const Route = createFileRoute("/register")({
  validateSearch: (given: z.output<typeof search> & SearchSchemaInput) => z.parse(search, given),
  component: Register,
});

function Register() {
  const inviter = useInviter();
  const referral = Route.useSearch().referral ?? inviter;
  const { unconfirmed } = useKeptAccount();
  useRedirectWhenSignedIn(undefined);
  const strip = <StartStrip step="number" />;
  if (unconfirmed) return <VerifyForm credentials={unconfirmed} above={strip} />;
  return <RegisterForm referral={referral} above={strip} />;
}
