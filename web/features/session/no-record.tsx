import { useQueryClient } from "@tanstack/react-query";
import { UserX } from "lucide-react";
import { readName, type AuthUser } from "../../api/session.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Problem } from "../../ui/problem.tsx";
import { nameFault } from "../account/form-faults.ts";
import { makeRecord } from "../account/record.ts";
import { createTyped, useTyped } from "../account/typed.ts";
import { NameField } from "../account/name-field.tsx";
import { useForm } from "../account/use-form.ts";
import { openSheet } from "../frame/frame-store.ts";
import { sayProblem } from "../language/problem-words.ts";

const typed = createTyped({ name: "" });

/** Signed in, but the last step of registering is missing: it is offered here. */
export function NoRecord({ authUser }: { authUser: AuthUser }) {
  const contact = <Button onClick={() => openSheet("support")}>{m.nav_contact()}</Button>;
  const { phoneNumber } = authUser;
  if (!phoneNumber) {
    return (
      <Notice Icon={UserX} heading="h1" title={m.no_record_title()} actions={contact}>
        {m.no_record_no_phone()}
      </Notice>
    );
  }
  return (
    <div className="mx-auto grid max-w-md gap-4">
      <Notice Icon={UserX} heading="h1" title={m.no_record_title()}>
        {m.no_record_text()}
      </Notice>
      <CreateRecord phone={phoneNumber} knownName={readName(authUser)} />
      {contact}
    </div>
  );
}

/** Asks for the name only where registering did not leave it. */
function CreateRecord({ phone, knownName }: { phone: string; knownName: string | null }) {
  const values = useTyped(typed);
  const queryClient = useQueryClient();
  const isKnown = knownName !== null && nameFault(knownName) === undefined;
  const name = isKnown ? knownName : values.name;
  const { form, isPending, faults, problem, onSubmit, clear } = useForm({
    fields: ["name"],
    check: () => ({ name: nameFault(name) }),
    send: () => makeRecord(queryClient, { name: name.trim(), phone }),
    explain: (error) => ({ words: { title: m.no_record_failed(), hint: sayProblem(error) } }),
  });
  return (
    <form ref={form} noValidate onSubmit={onSubmit} className="grid gap-4">
      {!isKnown && (
        <NameField
          value={values.name}
          onChange={(name) => {
            typed.type({ name });
            clear({ name });
          }}
          error={faults.get("name")}
        />
      )}
      {problem && <Problem {...problem} />}
      <Button type="submit" look="primary" aria-disabled={isPending}>
        {isPending ? m.no_record_sending() : m.no_record_button()}
      </Button>
    </form>
  );
}
