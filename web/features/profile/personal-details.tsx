import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import type { User } from "../../../worker/contract/user.ts";
import { formatPhone } from "../../api/phone-number.ts";
import { errorCodeOf } from "../../api/api-error.ts";
import { patchUser, userQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { validateName } from "../account/field-validation.ts";
import { PhoneField } from "../account/phone-field.tsx";
import { createFormStore, useFormValues } from "../account/form-store.ts";
import { NameField } from "../account/name-field.tsx";
import { useForm } from "../account/use-form.ts";
import { errorMessage } from "../language/error-messages.ts";
import { ProfileCard } from "./profile-card.tsx";
import { validatePreferredPhone, parsePreferredPhone, formatPreferredPhone } from "./preferred-phone.ts";

/** What differs from the record; null where nothing was typed. */
const formStore = createFormStore<{ name: string | null; phone: string | null }>({ name: null, phone: null });

/** The name, and where texts go. */
export function PersonalDetails({ user }: { user: User }) {
  const edits = useFormValues(formStore);
  const queryClient = useQueryClient();
  const saved = { name: user.name, phone: formatPreferredPhone(user.preferredPhoneNumber) };
  const name = edits.name ?? saved.name;
  const phone = edits.phone ?? saved.phone;
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["name", "preferredPhoneNumber"],
    validate: () => ({ name: validateName(name), preferredPhoneNumber: validatePreferredPhone(phone) }),
    send: async () => {
      const preferredPhoneNumber = parsePreferredPhone(phone);
      const next = await patchUser({ updateProfile: true, name: name.trim(), preferredPhoneNumber });
      queryClient.setQueryData(userQuery.queryKey, next);
      formStore.reset();
      toast(m.save_saved());
    },
    describeError: (error) => {
      // Whoever is signed out sees this screen no longer: it is said where they land.
      if (errorCodeOf(error) === "unauthenticated") toast.error(m.profile_sign_in_again());
      return { message: { title: m.profile_failed(), hint: `${errorMessage(error)} ${m.profile_kept()}` } };
    },
  });
  const isChanged = name !== saved.name || phone !== saved.phone;
  return (
    <ProfileCard title={m.profile_about()}>
      <p className="text-soft figures">{m.profile_sign_in_phone({ phone: formatPhone(user.phoneNumber) })}</p>
      <form ref={form} noValidate onSubmit={onSubmit} aria-label={m.profile_about()} className="grid gap-4">
        <NameField
          value={name}
          onChange={(name) => {
            formStore.update({ name });
            clearErrors({ name });
          }}
          error={fieldErrors.get("name")}
        />
        <PhoneField
          label={m.profile_phone()}
          name="preferredPhoneNumber"
          autoComplete="tel"
          isRequired={false}
          hint={m.profile_phone_hint({ phone: formatPhone(user.phoneNumber) })}
          value={phone}
          onChange={(phone) => {
            formStore.update({ phone });
            clearErrors({ preferredPhoneNumber: phone });
          }}
          error={fieldErrors.get("preferredPhoneNumber")}
        />
        {formError && <FormError {...formError} />}
        <div className="flex flex-wrap justify-end gap-3">
          {isChanged && (
            <Button variant="quiet" onClick={formStore.reset}>
              {m.save_undo()}
            </Button>
          )}
          <Button type="submit" variant="primary" className="min-w-28" aria-disabled={isPending}>
            {isPending ? m.save_saving() : m.save_button()}
          </Button>
        </div>
      </form>
    </ProfileCard>
  );
}
