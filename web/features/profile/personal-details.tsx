import { useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { useState } from "react";
import { formatPhone, toE164 } from "../../../locales/phone-number.ts";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { requestPreferredPhoneCode, verifyPreferredPhone } from "../../api/queries/account.ts";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/notices.tsx";
import { OWN_CODE } from "../../ui/form/auto-send.ts";
import { toast } from "../../ui/toast.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { cacheResponse } from "../../api/client/query-client.ts";
import { fetchUser, patchUser, userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";
import { errorMessage } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";
import { formatPhoneText } from "../language/format.ts";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { validateName, validateCode } from "../account/field-validation.ts";
import { withFreshSignIn } from "../account/fresh-sign-in-sheet.tsx";
import { NameField, PhoneField } from "../account/fields.tsx";
import { describeProfileError, ProfileCard, ProfileSaveRow } from "./profile-card.tsx";

const remountState = createRemountState();
const DIGITS_WITH_COUNTRY = 11;

/** The name, and the number for texts. */
export function PersonalDetails({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const saved = toFormValues(user);
  const form = useSubmitForm({
    defaultValues: saved,
    remountState,
    send: async (shown, { reset }) => {
      // Only what was changed here: the other one may have been changed on another device since.
      const known = toFormValues((await fetchUser()) ?? user);
      const { name, preferredPhoneNumber } = { ...known, ...pickChanged(shown) };
      const change = {
        updateProfile: true,
        name: name.trim(),
        preferredPhoneNumber: parsePreferredPhone(preferredPhoneNumber),
      } as const;
      const next = await withFreshSignIn(() => patchUser(change));
      cacheResponse(queryClient, userQuery, next);
      reset(toFormValues(next), { keepDefaultValues: true });
      toast(m.save_saved());
    },
    describeError: describeProfileError,
  });
  const pickChanged = ({ name, preferredPhoneNumber }: typeof saved): Partial<typeof saved> => ({
    ...(form.getFieldMeta("name")?.isDirty && { name }),
    ...(form.getFieldMeta("preferredPhoneNumber")?.isDirty && { preferredPhoneNumber }),
  });
  const isChanged = useSelector(
    form.store,
    ({ values }) => values.name !== saved.name || values.preferredPhoneNumber !== saved.preferredPhoneNumber,
  );
  return (
    <ProfileCard title={m.profile_about()}>
      <p className="text-sm text-soft figures">
        {m.profile_sign_in_phone({ phone: formatPhoneText(user.phoneNumber) })}
      </p>
      <form.AppForm>
        <form.Body aria-label={m.profile_about()} className="grid grid-cols-1 gap-4">
          <form.AppField name="name" validators={{ onDynamic: ({ value }) => validateName(value) }}>
            {() => <NameField />}
          </form.AppField>
          <form.AppField
            name="preferredPhoneNumber"
            validators={{ onDynamic: ({ value }) => validatePreferredPhone(value) }}
          >
            {() => (
              <PhoneField
                label={m.profile_phone()}
                name="preferredPhoneNumber"
                autoComplete="tel"
                isRequired={false}
                hint={m.profile_phone_hint({ phone: formatPhoneText(user.phoneNumber) })}
              />
            )}
          </form.AppField>
          <form.SubmitError />
          <ProfileSaveRow isChanged={isChanged} onUndo={() => form.reset()}>
            <form.SubmitButton className="min-w-28" pendingLabel={m.save_saving()}>
              {m.save_button()}
            </form.SubmitButton>
          </ProfileSaveRow>
        </form.Body>
      </form.AppForm>
      {user.preferredPhoneNumber !== null && user.preferredPhoneVerified === false && (
        <VerifyPreferredPhone
          key={user.preferredPhoneNumber}
          phone={user.phoneNumber}
          preferred={user.preferredPhoneNumber}
        />
      )}
    </ProfileCard>
  );
}

function toFormValues({ name, preferredPhoneNumber }: User) {
  return { name, preferredPhoneNumber: formatPreferredPhone(preferredPhoneNumber) };
}

/** Says that the preferred number gets no texts yet, and proves it by a code. */
function VerifyPreferredPhone({ phone, preferred }: { phone: string; preferred: string }) {
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
      form.setFieldValue("code", "");
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

/** The message for an invalid optional number; `undefined` where it is valid. The field puts +1 before what is typed. */
export function validatePreferredPhone(input: string): string | undefined {
  const text = input.trim();
  if (text === "") return undefined;
  if (/[^\d\s()+.-]/.test(text)) return m.profile_phone_digits();
  if (!text.startsWith("+1")) return m.profile_phone_country();
  if (toE164(text)) return undefined;
  const { length } = text.replaceAll(/\D/g, "");
  return length < DIGITS_WITH_COUNTRY ? m.profile_phone_short() : m.profile_phone_long();
}

/** The stored form; null where it was left empty. */
export function parsePreferredPhone(input: string): string | null {
  return input.trim() === "" ? null : toE164(input);
}

/** The value of the field. */
export function formatPreferredPhone(number: string | null): string {
  return number === null ? "" : formatPhone(number);
}
