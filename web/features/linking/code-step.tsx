import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useState } from "react";
import type { SetupResponse } from "../../../db/shapes/linking.ts";
import { errorCodeOf } from "../../api/api-error.ts";
import { updateLinking, linkingEndReason, submitLinkingCode, setupQuery } from "../../api/setup.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeField } from "../../ui/code-field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { useForm } from "../account/use-form.ts";
import { ContactSupportButton } from "../support/contact-support-button.tsx";
import { formatCountdown, useSecondsUntil, useRefetchSetupWhen } from "./countdown.ts";
import { LinkingStepLayout } from "./linking-step-layout.tsx";
import { linkingErrorMessage, wrongCodeMessage } from "./linking-messages.ts";
import { ResendLinkingCodeButton } from "./resend-linking-code.tsx";
import { SubmitButton } from "./submit-button.tsx";
import { delayNextAttempt, useRateLimitedSubmit } from "./use-rate-limited-submit.ts";

const MIN_CODE_LENGTH = 4;
const MAX_CODE_LENGTH = 8;

/** The code that the platform sent. `failure`: the latest look at the server came to nothing. */
export function CodeStep({
  code: codeRequest,
  failure,
}: {
  code: Extract<SetupResponse, { step: "otp" }>;
  failure: unknown;
}) {
  const queryClient = useQueryClient();
  const [code, setCode] = useState("");
  const secondsLeft = useSecondsUntil(codeRequest.expiresAt);
  const refetchSetup = () => queryClient.invalidateQueries({ queryKey: setupQuery.queryKey });
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["code"],
    validate: () => ({ code: validateLinkingCode(code) }),
    send: async () => {
      const answer = await submitLinkingCode(code);
      queryClient.setQueryData(setupQuery.queryKey, answer);
    },
    describeError: (error) => {
      delayNextAttempt(error);
      const endReason = linkingEndReason(error);
      if (endReason) updateLinking({ endReason });
      if (endReason || errorCodeOf(error) === "link_code_expired") void refetchSetup();
      const wrongCode = wrongCodeMessage(error);
      return wrongCode
        ? { message: { title: wrongCode }, field: "code" }
        : { message: linkingErrorMessage("code", error) };
    },
  });
  useRefetchSetupWhen(secondsLeft === 0);
  const { wait: waitSeconds, submit } = useRateLimitedSubmit(onSubmit);
  const change = (value: string) => {
    setCode(value);
    clearErrors({ code: value });
  };
  const { destination } = codeRequest;
  return (
    <LinkingStepLayout
      step="otp"
      title={m.linking_otp_title()}
      text={
        codeRequest.channel === "sms"
          ? m.linking_otp_sms({ destination })
          : m.linking_otp_email({ destination })
      }
    >
      {failure !== null && <Banner Icon={WifiOff}>{m.linking_not_reached()}</Banner>}
      <form ref={form} noValidate onSubmit={submit} className="grid gap-4">
        <CodeField
          label={m.linking_code_label()}
          length={MAX_CODE_LENGTH}
          value={code}
          onChange={change}
          error={fieldErrors.get("code")}
        />
        <p className={`figures text-sm ${secondsLeft === 0 ? "font-semibold text-bad" : "text-soft"}`}>
          {secondsLeft === 0
            ? m.linking_code_over()
            : m.linking_code_expires({ left: formatCountdown(secondsLeft) })}
        </p>
        {formError && <FormError {...formError} />}
        <SubmitButton
          waitSeconds={waitSeconds}
          isPending={isPending}
          name={m.code_button()}
          pendingName={m.code_sending()}
        />
      </form>
      {formError && <ContactSupportButton />}
      <ResendLinkingCodeButton onSent={() => change("")} />
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
