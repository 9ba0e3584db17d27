import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import { useSelector } from "@tanstack/react-store";
import { useEffect } from "react";
import * as z from "zod/mini";
import { sessionEndStore, type SignOutCause } from "../api/session/session.ts";
import { useIsHydrated } from "../early/use-is-hydrated.ts";
import { updateAccount, useKeptAccount } from "../features/account/account-store.ts";
import { LoginForm } from "../features/account/login-form.tsx";
import { useRedirectWhenSignedIn } from "../features/account/use-redirect-when-signed-in.ts";
import { VerifyForm } from "../features/account/verify-form.tsx";
import { searchParam, isSetupPath, returnPath } from "../features/navigation/search-param.ts";
import { StartStrip } from "../features/start/start-strip.tsx";
import { m } from "../messages/messages.js";

const search = z.object({ back: searchParam(returnPath) });

export const Route = createFileRoute("/login")({
  validateSearch: (given: z.output<typeof search> & SearchSchemaInput) => z.parse(search, given),
  component: Login,
});

const SESSION_END_TEXTS = {
  revoked: m.session_ended_text,
  disabled: m.login_disabled_hint,
} satisfies Record<SignOutCause, () => string>;

function Login() {
  const { back } = Route.useSearch();
  const sessionEnd = useSelector(sessionEndStore);
  const { unconfirmed } = useKeptAccount();
  const isHydrated = useIsHydrated();
  useRedirectWhenSignedIn(back);
  useEffect(() => updateAccount({ back }), [back]);
  if (unconfirmed)
    return (
      <VerifyForm
        credentials={unconfirmed}
        above={<StartStrip step="number" />}
        lead={m.login_unverified()}
      />
    );
  const lead = sessionEnd
    ? SESSION_END_TEXTS[sessionEnd]()
    : isHydrated && back !== undefined
      ? isSetupPath(back)
        ? m.linking_unauthenticated()
        : m.signed_out_text()
      : undefined;
  return <LoginForm lead={lead} />;
}
