import { useEffect, useRef, useState, type FormEvent } from "react";
import { joinMessage, type AuthMessage } from "./auth-messages.ts";

/** What is wrong, by the name of the field. */
export type FieldErrors<Name extends string> = ReadonlyMap<Name, string>;

/** What a failed sending says, and at which field where it belongs to one. */
type SubmitError = { message: AuthMessage; field?: string };

/**
 * Sends a form once: a second click while it is under way does nothing. What is missing is marked at its
 * field, and the first of them takes the focus, so that it is read out.
 */
export function useForm<Name extends string>({
  fields,
  validate,
  send,
  describeError,
}: {
  /** In the order in which they stand. */
  fields: readonly Name[];
  validate: () => Partial<Record<Name, string | undefined>>;
  send: () => Promise<void>;
  describeError: (error: unknown) => SubmitError;
}) {
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [isPending, setPending] = useState(false);
  const [fieldErrors, setFieldErrors] = useState<FieldErrors<Name>>(new Map());
  const [formError, setFormError] = useState<AuthMessage | null>(null);
  const [failures, setFailures] = useState(0);

  useEffect(() => {
    if (failures > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failures]);

  const showErrors = (errors: FieldErrors<Name>, formMessage: AuthMessage | null) => {
    setFieldErrors(errors);
    setFormError(formMessage);
    setFailures((count) => count + 1);
  };
  const submit = async () => {
    if (isSending.current) return;
    const errors = toFieldErrors(validate(), fields);
    if (errors.size > 0) {
      showErrors(errors, null);
      return;
    }
    isSending.current = true;
    setPending(true);
    setFieldErrors(new Map());
    setFormError(null);
    try {
      await send();
    } catch (error) {
      const { message, field } = describeError(error);
      const ownField = fields.find((name) => name === field);
      if (ownField) showErrors(new Map([[ownField, joinMessage(message)]]), null);
      else showErrors(new Map(), message);
    } finally {
      isSending.current = false;
      setPending(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  /** What was typed anew is not wrong any more. */
  const clearErrors = (changed: Partial<Record<Name, unknown>>) => {
    const remaining = [...fieldErrors].filter(([name]) => !(name in changed));
    if (remaining.length < fieldErrors.size) setFieldErrors(new Map(remaining));
  };
  return { form, isPending, fieldErrors, formError, onSubmit, clearErrors };
}

/** The faults that there are, by the name of their field. */
function toFieldErrors<Name extends string>(
  errors: Partial<Record<Name, string | undefined>>,
  names: readonly Name[],
): FieldErrors<Name> {
  const fieldErrors = new Map<Name, string>();
  for (const name of names) {
    const error = errors[name];
    if (error !== undefined) fieldErrors.set(name, error);
  }
  return fieldErrors;
}
