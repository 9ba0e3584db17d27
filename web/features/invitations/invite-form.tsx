import { useQueryClient } from "@tanstack/react-query";
import { toast } from "../../ui/toast.ts";
import { toE164 } from "../../../locales/phone-number.ts";
import { RequestError } from "../../api/client/request-error.ts";
import { invitationsQuery, sendInvitation } from "../../api/queries/rewards.ts";
import { m } from "../../messages/messages.js";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { PhoneField } from "../account/phone-field.tsx";
import { errorMessage, errorText } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";
import { validateFriendPhone } from "./friend-phone.ts";

const remountState = createRemountState();

/** Said at the number, since they are about it. */
const NUMBER_ERRORS: readonly string[] = ["own_number", "already_registered", "already_invited"];

/** Invites a friend by their number. */
export function InviteForm() {
  const queryClient = useQueryClient();
  const form = useSubmitForm({
    defaultValues: { phoneNumber: "" },
    remountState,
    send: async ({ phoneNumber }, { reset }) => {
      const { isTexted } = await sendInvitation({ phoneNumber: (toE164(phoneNumber) ?? "").slice(2) });
      await queryClient.invalidateQueries({ queryKey: invitationsQuery.queryKey });
      reset();
      toast(isTexted ? m.invite_sent() : m.invite_not_texted());
    },
    describeError: (error) => {
      const message = { title: m.invite_failed(), hint: errorMessage(error) };
      const isOfNumber = error instanceof RequestError && NUMBER_ERRORS.includes(error.code);
      return { message, fields: isOfNumber ? { phoneNumber: errorText(error) } : fieldMessages(error) };
    },
  });
  return (
    <section aria-labelledby="invite-form" className="card grid content-start gap-4 p-5">
      <div>
        <h2 id="invite-form" className="text-lg">
          {m.invite_form_title()}
        </h2>
        <p className="mt-1 text-soft">{m.invite_form_text()}</p>
      </div>
      <form.AppForm>
        <form.Body className="grid gap-4">
          <form.AppField
            name="phoneNumber"
            validators={{ onDynamic: ({ value }) => validateFriendPhone(value) }}
          >
            {() => <PhoneField label={m.invite_phone()} name="friend" autoComplete="tel" />}
          </form.AppField>
          <form.SubmitError />
          <form.SubmitButton pendingLabel={m.invite_sending()}>{m.invite_send()}</form.SubmitButton>
        </form.Body>
      </form.AppForm>
    </section>
  );
}
