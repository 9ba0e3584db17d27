import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { setupLogin } from "../../../worker/contract/setup.ts";
import { userQuery } from "../../api/queries.ts";
import { changeLinking, linkingStore, sendCredentials, setupQuery } from "../../api/setup.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Problem } from "../../ui/problem.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useForm } from "../account/use-form.ts";
import { useProductName } from "../frame/use-config.ts";
import { ContactSupport } from "./contact-support.tsx";
import { LinkingPage } from "./linking-page.tsx";
import { explainEnd, explainLinking } from "./linking-words.ts";
import { RESEND_AFTER_MS } from "./resend.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { holdTries, useTries } from "./tries.ts";

/** The e-mail and password of the platform's account. `underWay`: another linking can still be gone on with. */
export function CredentialsStep({ underWay = false }: { underWay?: boolean }) {
  const queryClient = useQueryClient();
  const product = useProductName();
  const known = useQuery(userQuery).data?.flexEmail ?? "";
  const typed = useSelector(linkingStore, (state) => state.email);
  const ended = useSelector(linkingStore, (state) => state.ended);
  const email = (typed ?? known).trim();
  const [password, setPassword] = useState("");
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["email", "password"],
    check: () => ({
      email: emailFault(email),
      password: password === "" ? m.linking_password_required() : undefined,
    }),
    send: async () => {
      changeLinking({ ended: null });
      const answer = await sendCredentials({ email, password });
      changeLinking({ isAnew: false, resendAt: Date.now() + RESEND_AFTER_MS });
      queryClient.setQueryData(setupQuery.queryKey, answer);
    },
    explain: (error) => {
      holdTries(error);
      return { words: explainLinking("credentials", error) };
    },
  });
  const { wait, submit } = useTries(onSubmit);
  return (
    <LinkingPage step="credentials" title={m.linking_login_title()} text={m.linking_login_text({ product })}>
      {ended && !problem && <Problem {...explainEnd(ended)} />}
      <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
        <TextField
          label={m.linking_email()}
          name="platform-email"
          type="email"
          required
          inputMode="email"
          autoComplete="section-platform email"
          autoCapitalize="none"
          spellCheck={false}
          value={typed ?? known}
          onChange={(value) => {
            changeLinking({ email: value });
            clear({ email: value });
          }}
          error={faults.get("email")}
        />
        <PasswordField
          label={m.linking_password()}
          name="platform-password"
          // A browser offers no password of this site for a new one: Jornada's own must not go to the platform.
          autoComplete="new-password"
          value={password}
          onChange={(value) => {
            setPassword(value);
            clear({ password: value });
          }}
          error={faults.get("password")}
        />
        <p className="flex gap-2.5 text-sm">
          <ShieldCheck aria-hidden className="mt-0.5 size-4.5 shrink-0 text-good" />
          <span>{m.linking_once()}</span>
        </p>
        {problem && <Problem {...problem} />}
        <SubmitButton
          wait={wait}
          isPending={isPending}
          name={m.linking_login_button()}
          pendingName={m.linking_login_sending()}
        />
      </form>
      {problem && <ContactSupport />}
      {underWay && (
        <Button look="quiet" onClick={() => changeLinking({ isAnew: false })}>
          {m.linking_continue()}
        </Button>
      )}
    </LinkingPage>
  );
}

function emailFault(email: string): string | undefined {
  if (email === "") return m.linking_email_required();
  return z.safeParse(setupLogin.shape.email, email).success ? undefined : m.linking_email_invalid();
}
