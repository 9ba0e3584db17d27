import { useQueryClient } from "@tanstack/react-query";
import { UserX } from "lucide-react";
import { parseTokenName, type AuthUser } from "../../api/session/session.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { createRemountState } from "../../ui/form/remount-state.ts";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { validateName } from "../account/field-validation.ts";
import { createDriverRecord } from "../account/driver-record.ts";
import { NameField } from "../account/fields.tsx";
import { openSheet } from "../ui-state/ui-store.ts";
import { errorMessage } from "../language/error-messages.ts";
import { fieldMessages } from "../language/field-messages.ts";

const remountState = createRemountState();

/** For somebody who is signed in but never finished registering: the last step. */
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

/** Asks for the name only where registering left none. */
function CreateRecord({ phone, knownName }: { phone: string; knownName: string | null }) {
  const queryClient = useQueryClient();
  const isKnown = knownName !== null && validateName(knownName) === undefined;
  const form = useSubmitForm({
    defaultValues: { name: isKnown ? knownName : "" },
    remountState,
    send: ({ name }) => createDriverRecord(queryClient, { name: name.trim(), phone }),
    describeError: (error) => ({
      message: { title: m.no_record_failed(), hint: errorMessage(error) },
      // Without its field on the screen, what is wrong with the name is said of the whole form.
      fields: isKnown ? {} : fieldMessages(error),
    }),
  });
  return (
    <form.AppForm>
      <form.Body className="grid gap-4">
        {!isKnown && (
          <form.AppField name="name" validators={{ onDynamic: ({ value }) => validateName(value) }}>
            {() => <NameField />}
          </form.AppField>
        )}
        <form.SubmitError />
        <form.SubmitButton pendingLabel={m.no_record_sending()}>{m.no_record_button()}</form.SubmitButton>
      </form.Body>
    </form.AppForm>
  );
}
