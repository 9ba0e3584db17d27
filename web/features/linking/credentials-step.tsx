import { useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { ShieldCheck } from "lucide-react";
import * as z from "zod/mini";
import { setupLogin } from "../../../worker/contract/work/setup.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { updateLinking, linkingStore, submitCredentials, setupQuery } from "../../api/queries/setup.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { FormError, type FormMessage } from "../../ui/notices.tsx";
import { fieldMessages } from "../language/field-messages.ts";
import { useProductName } from "../../api/queries/use-config.ts";
import { useUser } from "../session/use-user.ts";
import { ContactSupportButton, LinkingStepLayout, VerificationLink } from "./linking-step-layout.tsx";
import { delayNextAttempt, useRetryWait } from "./countdown.ts";
import { formatCountdown } from "../language/format.ts";
import { endReasonMessage, linkingErrorMessage } from "./linking-messages.ts";
import { LINKING_RESEND_AFTER_MS } from "./resend-linking-code.tsx";
import { serverNow } from "../../early/server-clock.ts";

const remountState = createRemountState();

/** The e-mail and password of the platform's account. `isInProgress`: another linking can still be continued. */
export function CredentialsStep({ isInProgress = false }: { isInProgress?: boolean }) {
  const queryClient = useQueryClient();
  const product = useProductName();
  const savedEmail = useUser().flexEmail ?? "";
  const endReason = useSelector(linkingStore, (state) => state.endReason);
  const waitSeconds = useRetryWait();
  const form = useSubmitForm({
    defaultValues: { email: linkingStore.get().email ?? savedEmail, password: "" },
    remountState,
    send: async ({ email, password }) => {
      updateLinking({ endReason: null });
      const response = await submitCredentials({ email: email.trim(), password });
      updateLinking({ isRestarting: false, resendAt: serverNow() + LINKING_RESEND_AFTER_MS });
      cacheResponse(queryClient, setupQuery, response);
    },
    describeError: (error) => {
      delayNextAttempt(error);
      return { message: linkingErrorMessage("credentials", error), fields: fieldMessages(error) };
    },
  });
  const hasFailed = useSelector(form.store, (state) => state.errors.length > 0);
  const failed: FormMessage | undefined = useSelector(form.store, (state) => state.errorMap.onDynamic);
  return (
    <LinkingStepLayout
      step="credentials"
      title={m.linking_login_title()}
      text={m.linking_login_text({ product })}
    >
      {endReason && !hasFailed && <FormError {...endReasonMessage(endReason)} />}
      <form.AppForm>
        <form.Body isHeld={waitSeconds > 0} className="grid gap-4">
          <form.AppField
            name="email"
            validators={{ onDynamic: ({ value }) => validateEmail(value.trim()) }}
            listeners={{ onChange: ({ value }) => updateLinking({ email: value }) }}
          >
            {(field) => (
              <field.TextField
                label={m.linking_email()}
                isFirst
                name="platform-email"
                type="email"
                required
                inputMode="email"
                autoComplete="section-platform email"
                autoCapitalize="none"
                spellCheck={false}
              />
            )}
          </form.AppField>
          <form.AppField
            name="password"
            validators={{
              onDynamic: ({ value }) => (value === "" ? m.linking_password_required() : undefined),
            }}
          >
            {(field) => (
              <field.PasswordField
                label={m.linking_password()}
                name="platform-password"
                // A browser fills no saved password into a new one: Jornada's own must not go to the platform.
                autoComplete="new-password"
              />
            )}
          </form.AppField>
          <p className="flex gap-2.5 text-sm">
            <ShieldCheck aria-hidden className="mt-0.5 size-4.5 shrink-0 text-good" />
            <span>{m.linking_once()}</span>
          </p>
          <form.SubmitError />
          <VerificationLink url={failed?.pageUrl} />
          <form.SubmitButton
            isHeld={waitSeconds > 0}
            pendingLabel={m.linking_login_sending()}
            className="figures aria-disabled:opacity-55"
          >
            {waitSeconds > 0
              ? m.linking_wait({ left: formatCountdown(waitSeconds) })
              : m.linking_login_button()}
          </form.SubmitButton>
        </form.Body>
      </form.AppForm>
      {hasFailed && <ContactSupportButton />}
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
