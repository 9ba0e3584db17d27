import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import * as z from "zod/mini";
import { sessionEndedStore } from "../api/session.ts";
import { accountStore } from "../features/account/account-store.ts";
import { isSetupPath, returnPath } from "../features/account/return-path.ts";
import { LoginForm } from "../features/account/login-form.tsx";
import { useRedirectWhenSignedIn } from "../features/account/use-redirect-when-signed-in.ts";
import { VerifyForm } from "../features/account/verify-form.tsx";
import { searchParam } from "../features/navigation/search-param.ts";
import { m } from "../messages/messages.js";

const search = z.object({ back: searchParam(returnPath) });

export const Route = createFileRoute("/login")({
  validateSearch: (given: z.output<typeof search> & SearchSchemaInput) => z.parse(search, given),
  component: Login,
});

function Login() {
  const { back } = Route.useSearch();
  const hasEnded = useSelector(sessionEndedStore);
  const unconfirmed = useSelector(accountStore, (state) => state.unconfirmed);
  useRedirectWhenSignedIn(back);
  if (unconfirmed) return <VerifyForm credentials={unconfirmed} lead={m.login_unverified()} />;
  const lead = hasEnded
    ? m.session_ended_text()
    : back && (isSetupPath(back) ? m.linking_unauthenticated() : m.signed_out_text());
  return <LoginForm lead={lead} />;
}
