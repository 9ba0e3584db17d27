import { useQueryClient } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { toast } from "../../ui/toast.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { cacheResponse } from "../../api/cache/cache-response.ts";
import { patchUser, userQuery } from "../../api/queries/user.ts";
import { m } from "../../messages/messages.js";
import { formatPhoneText } from "../language/format.ts";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { validateName } from "../account/field-validation.ts";
import { withFreshSignIn } from "../account/fresh-sign-in-sheet.tsx";
import { PhoneField } from "../account/phone-field.tsx";
import { NameField } from "../account/fields.tsx";
import { describeProfileError, ProfileCard, ProfileSaveRow } from "./profile-card.tsx";
import { VerifyPreferredPhone } from "./verify-preferred-phone.tsx";
import { validatePreferredPhone, parsePreferredPhone, formatPreferredPhone } from "./preferred-phone.ts";

const remountState = createRemountState();

/** The name, and the number for texts. */
export function PersonalDetails({ user }: { user: User }) {
  const queryClient = useQueryClient();
  const saved = toFormValues(user);
  const form = useSubmitForm({
    defaultValues: saved,
    remountState,
    send: async ({ name, preferredPhoneNumber }, { reset }) => {
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
