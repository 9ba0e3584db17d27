import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "../../ui/toast.ts";
import { cacheResponse } from "../../api/cache/cache-response.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { requestPreferredPhoneCode, verifyPreferredPhone } from "../../api/queries/account.ts";
import { userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";
import { formatPhoneText } from "../language/format.ts";
import { Button } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { OWN_CODE } from "../../ui/form/auto-send.ts";
import { FormError } from "../../ui/notices.tsx";
import { validateCode } from "../account/field-validation.ts";
import { errorMessage } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";

/** Says that the preferred number gets no texts yet, and proves it by a code. */
export function VerifyPreferredPhone({ phone, preferred }: { phone: string; preferred: string }) {
  const queryClient = useQueryClient();
  const [isSent, setIsSent] = useState(false);
  const [isSending, setIsSending] = useState(false);
  const [sendError, setSendError] = useState<string | null>(null);
  const numbers = { phone: formatPhoneText(phone), preferred: formatPhoneText(preferred) };
  const form = useSubmitForm({
    defaultValues: { code: "" },
    send: async ({ code }) => {
      const user = await verifyPreferredPhone(code);
      cacheResponse(queryClient, userQuery, user);
      toast(m.profile_phone_verified({ preferred: numbers.preferred }));
    },
    describeError: (error) => {
      const title = errorMessage(error);
      return { message: { title }, fields: isOfCode(error) ? { code: title } : fieldMessages(error) };
    },
  });
  const sendCode = async () => {
    if (isSending) return;
    setIsSending(true);
    setSendError(null);
    try {
      await requestPreferredPhoneCode();
      setIsSent(true);
    } catch (error) {
      setSendError(errorMessage(error));
    } finally {
      setIsSending(false);
    }
  };
  return (
    <div className="grid gap-3">
      <output className="text-soft figures">{m.profile_phone_unverified(numbers)}</output>
      {isSent && (
        <form.AppForm>
          <form.Body className="grid gap-3">
            <form.AppField name="code" validators={{ onDynamic: ({ value }) => validateCode(value) }}>
              {(field) => (
                <field.CodeField
                  label={m.profile_phone_code({ preferred: numbers.preferred })}
                  readsTexts
                  autoSend={OWN_CODE}
                />
              )}
            </form.AppField>
            <form.SubmitError />
            <form.SubmitButton pendingLabel={m.code_sending()}>{m.profile_phone_verify()}</form.SubmitButton>
          </form.Body>
        </form.AppForm>
      )}
      {sendError !== null && <FormError title={sendError} />}
      <Button variant={isSent ? "quiet" : "plain"} aria-disabled={isSending} onClick={() => void sendCode()}>
        {isSent ? m.profile_phone_resend() : m.profile_phone_send_code()}
      </Button>
    </div>
  );
}

function isOfCode(error: unknown): boolean {
  return ["code_wrong", "code_expired"].includes(errorCodeOf(error));
}
