import { useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import type { User } from "../../../worker/contract/user.ts";
import { showPhone } from "../../api/phone-number.ts";
import { codeOf } from "../../api/problem.ts";
import { patchUser, userQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import { nameFault } from "../account/form-faults.ts";
import { PhoneField } from "../account/phone-field.tsx";
import { createTyped, useTyped } from "../account/typed.ts";
import { NameField } from "../account/name-field.tsx";
import { useForm } from "../account/use-form.ts";
import { sayProblem } from "../language/problem-words.ts";
import { Card } from "./card.tsx";
import { preferredPhoneFault, readPreferredPhone, showPreferredPhone } from "./preferred-phone.ts";

/** What differs from the record; null where nothing was typed. */
const typed = createTyped<{ name: string | null; phone: string | null }>({ name: null, phone: null });

/** The name, and where texts go. */
export function AboutYou({ user }: { user: User }) {
  const edits = useTyped(typed);
  const queryClient = useQueryClient();
  const saved = { name: user.name, phone: showPreferredPhone(user.preferredPhoneNumber) };
  const name = edits.name ?? saved.name;
  const phone = edits.phone ?? saved.phone;
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["name", "preferredPhoneNumber"],
    check: () => ({ name: nameFault(name), preferredPhoneNumber: preferredPhoneFault(phone) }),
    send: async () => {
      const preferredPhoneNumber = readPreferredPhone(phone);
      const next = await patchUser({ updateProfile: true, name: name.trim(), preferredPhoneNumber });
      queryClient.setQueryData(userQuery.queryKey, next);
      typed.forget();
      toast(m.save_saved());
    },
    explain: (error) => {
      // Whoever is signed out sees this screen no longer: it is said where they land.
      if (codeOf(error) === "unauthenticated") toast.error(m.profile_sign_in_again());
      return { words: { title: m.profile_failed(), hint: `${sayProblem(error)} ${m.profile_kept()}` } };
    },
  });
  const isChanged = name !== saved.name || phone !== saved.phone;
  return (
    <Card title={m.profile_about()}>
      <p className="text-soft figures">{m.profile_sign_in_phone({ phone: showPhone(user.phoneNumber) })}</p>
      <form ref={form} noValidate onSubmit={onSubmit} aria-label={m.profile_about()} className="grid gap-4">
        <NameField
          value={name}
          onChange={(name) => {
            typed.type({ name });
            clear({ name });
          }}
          error={faults.get("name")}
        />
        <PhoneField
          label={m.profile_phone()}
          name="preferredPhoneNumber"
          autoComplete="tel"
          isRequired={false}
          hint={m.profile_phone_hint({ phone: showPhone(user.phoneNumber) })}
          value={phone}
          onChange={(phone) => {
            typed.type({ phone });
            clear({ preferredPhoneNumber: phone });
          }}
          error={faults.get("preferredPhoneNumber")}
        />
        {problem && <Problem {...problem} />}
        <div className="flex flex-wrap justify-end gap-3">
          {isChanged && (
            <Button look="quiet" onClick={typed.forget}>
              {m.save_undo()}
            </Button>
          )}
          <Button type="submit" look="primary" className="min-w-28" aria-disabled={isPending}>
            {isPending ? m.save_saving() : m.save_button()}
          </Button>
        </div>
      </form>
    </Card>
  );
}
