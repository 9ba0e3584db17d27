import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import * as z from "zod/mini";
import { setupLogin } from "../../../worker/contract/setup.ts";
import { userQuery } from "../../api/queries.ts";
import { updateLinking, linkingStore, submitCredentials, setupQuery } from "../../api/setup.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { TextField } from "../../ui/text-field.tsx";
import { useForm } from "../account/use-form.ts";
import { useProductName } from "../../api/use-config.ts";
import { ContactSupportButton } from "../support/contact-support-button.tsx";
import { LinkingStepLayout } from "./linking-step-layout.tsx";
import { endReasonMessage, linkingErrorMessage } from "./linking-messages.ts";
import { LINKING_RESEND_AFTER_MS } from "./resend-linking-code.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { delayNextAttempt, useRateLimitedSubmit } from "./use-rate-limited-submit.ts";

/** The e-mail and password of the platform's account. `underWay`: another linking can still be gone on with. */
export function CredentialsStep({ isInProgress = false }: { isInProgress?: boolean }) {
  const queryClient = useQueryClient();
  const product = useProductName();
  const savedEmail = useQuery(userQuery).data?.flexEmail ?? "";
  const typedEmail = useSelector(linkingStore, (state) => state.email);
  const endReason = useSelector(linkingStore, (state) => state.endReason);
  const email = (typedEmail ?? savedEmail).trim();
  const [password, setPassword] = useState("");
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["email", "password"],
    validate: () => ({
      email: validateEmail(email),
      password: password === "" ? m.linking_password_required() : undefined,
    }),
    send: async () => {
      updateLinking({ endReason: null });
      const answer = await submitCredentials({ email, password });
      updateLinking({ isRestarting: false, resendAt: Date.now() + LINKING_RESEND_AFTER_MS });
      queryClient.setQueryData(setupQuery.queryKey, answer);
    },
    describeError: (error) => {
      delayNextAttempt(error);
      return { message: linkingErrorMessage("credentials", error) };
    },
  });
  const { wait: waitSeconds, submit } = useRateLimitedSubmit(onSubmit);
  return (
    <LinkingStepLayout
      step="credentials"
      title={m.linking_login_title()}
      text={m.linking_login_text({ product })}
    >
      {endReason && !formError && <FormError {...endReasonMessage(endReason)} />}
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
          value={typedEmail ?? savedEmail}
          onChange={(value) => {
            updateLinking({ email: value });
            clearErrors({ email: value });
          }}
          error={fieldErrors.get("email")}
        />
        <PasswordField
          label={m.linking_password()}
          name="platform-password"
          // A browser offers no password of this site for a new one: Jornada's own must not go to the platform.
          autoComplete="new-password"
          value={password}
          onChange={(value) => {
            setPassword(value);
            clearErrors({ password: value });
          }}
          error={fieldErrors.get("password")}
        />
        <p className="flex gap-2.5 text-sm">
          <ShieldCheck aria-hidden className="mt-0.5 size-4.5 shrink-0 text-good" />
          <span>{m.linking_once()}</span>
        </p>
        {formError && <FormError {...formError} />}
        <SubmitButton
          waitSeconds={waitSeconds}
          isPending={isPending}
          name={m.linking_login_button()}
          pendingName={m.linking_login_sending()}
        />
      </form>
      {formError && <ContactSupportButton />}
      {isInProgress && (
        <Button variant="quiet" onClick={() => updateLinking({ isRestarting: false })}>
          {m.linking_continue()}
        </Button>
      )}
    </LinkingStepLayout>
  );
}

function validateEmail(email: string): string | undefined {
  if (email === "") return m.linking_email_required();
  return z.safeParse(setupLogin.shape.email, email).success ? undefined : m.linking_email_invalid();
}
