import { useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import type { SetupResponse } from "../../../db/shapes/work/linking.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { updateLinking, linkingEndReason, submitLinkingCode, setupQuery } from "../../api/queries/setup.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createCodeSender } from "../../ui/form/auto-send.ts";
import { createRemountState } from "../../ui/form/remount-state.ts";
import type { FormMessage } from "../../ui/notices.tsx";
import { fieldMessages } from "../language/field-messages.ts";
import {
  ContactSupportButton,
  LinkingStepLayout,
  LookFailure,
  VerificationLink,
} from "./linking-step-layout.tsx";
import { delayNextAttempt, useRefetchSetupWhen, useRetryWait, useSecondsUntil } from "./countdown.ts";
import { formatCountdown } from "../language/format.ts";
import { linkingErrorMessage, wrongCodeMessage } from "./linking-messages.ts";
import { ResendLinkingCodeButton } from "./resend-linking-code.tsx";

const MIN_CODE_LENGTH = 4;
const MAX_CODE_LENGTH = 8;

const CODE_CHANNELS = {
  sms: m.linking_otp_sms,
  email: m.linking_otp_email,
  other: m.linking_otp_other,
} satisfies Record<
  Extract<SetupResponse, { step: "otp" }>["channel"],
  (values: { destination: string }) => string
>;

const remountState = createRemountState();

/** The code that the platform sent. `failure`: why the latest poll of the server failed; null where it didn't. */
export function CodeStep({
  code: codeRequest,
  failure,
}: {
  code: Extract<SetupResponse, { step: "otp" }>;
  failure: unknown;
}) {
  const queryClient = useQueryClient();
  const secondsLeft = useSecondsUntil(codeRequest.expiresAt);
  const waitSeconds = useRetryWait();
  const refetchSetup = () => queryClient.invalidateQueries({ queryKey: setupQuery.queryKey });
  const [sender] = useState(() => createCodeSender((error) => errorCodeOf(error) === "link_code_wrong"));
  const form = useSubmitForm({
    defaultValues: { code: "" },
    remountState,
    send: async ({ code }) => {
      const response = await sender.send(code, () => submitLinkingCode(code));
      cacheResponse(queryClient, setupQuery, response);
    },
    describeError: (error) => {
      delayNextAttempt(error);
      const endReason = linkingEndReason(error);
      if (endReason) updateLinking({ endReason });
      if (endReason || errorCodeOf(error) === "link_code_expired") void refetchSetup();
      const message = linkingErrorMessage("code", error);
      const wrongCode = wrongCodeMessage(error);
      return { message, fields: wrongCode ? { code: wrongCode } : fieldMessages(error) };
    },
  });
  const startOver = () => {
    sender.reset();
    form.setFieldValue("code", "");
  };
  useRefetchSetupWhen(secondsLeft === 0);
  const hasFailed = useSelector(form.store, (state) => state.errors.length > 0);
  const failed: FormMessage | undefined = useSelector(form.store, (state) => state.errorMap.onDynamic);
  const { destination } = codeRequest;
  return (
    <LinkingStepLayout
      step="otp"
      title={m.linking_otp_title()}
      text={
        destination === "" ? m.linking_otp_unnamed() : CODE_CHANNELS[codeRequest.channel]({ destination })
      }
    >
      <LookFailure failure={failure} />
      <form.AppForm>
        <form.Body isHeld={waitSeconds > 0} className="grid gap-4">
          <form.AppField name="code" validators={{ onDynamic: ({ value }) => validateLinkingCode(value) }}>
            {(field) => (
              <field.CodeField
                label={m.linking_code_label()}
                maxLength={MAX_CODE_LENGTH}
                // How long the platform's codes are isn't known before they come.
                autoSend={{ min: MIN_CODE_LENGTH, typed: [MAX_CODE_LENGTH] }}
              />
            )}
          </form.AppField>
          <p className={`figures text-sm ${secondsLeft === 0 ? "font-semibold text-bad" : "text-soft"}`}>
            {secondsLeft === 0
              ? m.linking_code_over()
              : m.linking_code_expires({ left: formatCountdown(secondsLeft) })}
          </p>
          <form.SubmitError />
          <VerificationLink url={failed?.pageUrl} />
          <form.SubmitButton
            isHeld={waitSeconds > 0}
            pendingLabel={m.code_sending()}
            className="figures aria-disabled:opacity-55"
          >
            {waitSeconds > 0 ? m.linking_wait({ left: formatCountdown(waitSeconds) }) : m.code_button()}
          </form.SubmitButton>
        </form.Body>
      </form.AppForm>
      {hasFailed && <ContactSupportButton />}
      <ResendLinkingCodeButton onSent={startOver} />
      <Button variant="quiet" onClick={() => updateLinking({ isRestarting: true })}>
        {m.linking_anew()}
      </Button>
    </LinkingStepLayout>
  );
}

function validateLinkingCode(code: string): string | undefined {
  if (code === "") return m.code_required();
  return code.length < MIN_CODE_LENGTH ? m.linking_code_length() : undefined;
}
