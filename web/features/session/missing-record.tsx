import { useQueryClient } from "@tanstack/react-query";
import { UserX } from "lucide-react";
import { parseTokenName, type AuthUser } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { validateName } from "../account/field-validation.ts";
import { createDriverRecord } from "../account/driver-record.ts";
import { createFormStore, useFormValues } from "../account/form-store.ts";
import { NameField } from "../account/name-field.tsx";
import { useForm } from "../account/use-form.ts";
import { openSheet } from "../ui-state/ui-store.ts";
import { errorMessage } from "../language/error-messages.ts";

const formStore = createFormStore({ name: "" });

/** Signed in, but the last step of registering is missing: it is offered here. */
export function MissingRecord({ authUser }: { authUser: AuthUser }) {
  const contact = <Button onClick={() => openSheet("support")}>{m.nav_contact()}</Button>;
  const { phoneNumber } = authUser;
  if (!phoneNumber) {
    return (
      <StatusPanel Icon={UserX} heading="h1" title={m.no_record_title()} actions={contact}>
        {m.no_record_no_phone()}
      </StatusPanel>
    );
  }
  return (
    <div className="mx-auto grid max-w-md gap-4">
      <StatusPanel Icon={UserX} heading="h1" title={m.no_record_title()}>
        {m.no_record_text()}
      </StatusPanel>
      <CreateRecord phone={phoneNumber} knownName={parseTokenName(authUser)} />
      {contact}
    </div>
  );
}

/** Asks for the name only where registering did not leave it. */
function CreateRecord({ phone, knownName }: { phone: string; knownName: string | null }) {
  const values = useFormValues(formStore);
  const queryClient = useQueryClient();
  const isKnown = knownName !== null && validateName(knownName) === undefined;
  const name = isKnown ? knownName : values.name;
  const { form, isPending, fieldErrors, formError, onSubmit, clearErrors } = useForm({
    fields: ["name"],
    validate: () => ({ name: validateName(name) }),
    send: () => createDriverRecord(queryClient, { name: name.trim(), phone }),
    describeError: (error) => ({ message: { title: m.no_record_failed(), hint: errorMessage(error) } }),
  });
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
      {!isKnown && (
        <NameField
          value={values.name}
          onChange={(name) => {
            formStore.update({ name });
            clearErrors({ name });
          }}
          error={fieldErrors.get("name")}
        />
      )}
      {formError && <FormError {...formError} />}
      <Button type="submit" variant="primary" aria-disabled={isPending}>
        {isPending ? m.no_record_sending() : m.no_record_button()}
      </Button>
    </form>
  );
}
