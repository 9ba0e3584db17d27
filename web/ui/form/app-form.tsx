import { createFormHook } from "@tanstack/react-form";
import { useSelector } from "@tanstack/react-store";
import {
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  type ComponentProps,
  type FormHTMLAttributes,
  type SubmitEvent,
} from "react";
import { Button } from "../button.tsx";
import { FormError, type FormMessage } from "../notices.tsx";
import { toast } from "../toast.ts";
import { CodeField } from "./code-field.tsx";
import { fieldContext, formContext, useFormContext } from "./contexts.ts";
import { PasswordField } from "./password-field.tsx";
import { clearErrors, type RemountState } from "./remount-state.ts";
import { submitOptions, type Submission } from "./submit-options.ts";
import { TextField, SelectField, CheckField } from "./fields.tsx";
import { useTypedFields } from "./typed-fields.ts";

export const { useAppForm, withFieldGroup } = createFormHook({
  fieldContext,
  formContext,
  fieldComponents: { CheckField, CodeField, PasswordField, SelectField, TextField },
  formComponents: { Body, SubmitButton, SubmitError },
});

/**
 * A form that is checked and sent as a whole. If it fails after it was left, a toast says so. With `remountState`, what is
 * typed survives a change of language.
 */
export function useSubmitForm<Values extends object>({
  remountState,
  ...options
}: Submission<Values> & { defaultValues: Values; remountState?: RemountState }) {
  const isShown = useIsShown();
  const describeError = (error: unknown) => {
    const issue = options.describeError(error);
    if (issue.toast !== undefined) toast.error(issue.toast);
    else if (!isShown()) toast.error(issue.message.title, { description: issue.message.hint });
    return issue;
  };
  const form = useAppForm(submitOptions({ ...options, describeError }));
  useLayoutEffect(() => remountState?.attach(form), [form, remountState]);
  return form;
}

/** A question whose answer is whether the component is still on the screen. */
function useIsShown(): () => boolean {
  const isShown = useRef(false);
  useLayoutEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  return useCallback(() => isShown.current, []);
}

/**
 * The `<form>`. While it is being sent or `isHeld`, submitting does nothing. After a refused submit the first
 * invalid field takes the focus, so that a screen reader reads its error.
 */
function Body({
  isHeld = false,
  ...rest
}: Omit<FormHTMLAttributes<HTMLFormElement>, "onSubmit"> & { isHeld?: boolean }) {
  const form = useFormContext();
  const element = useRef<HTMLFormElement>(null);
  useTypedFields(element);
  const isSubmitting = useSelector(form.store, (state) => state.isSubmitting);
  const submissionAttempts = useSelector(form.store, (state) => state.submissionAttempts);
  useEffect(() => {
    if (isSubmitting || submissionAttempts === 0) return;
    const invalid = element.current?.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!invalid) return;
    // A group of choices takes the focus with its first one.
    (invalid.matches("fieldset") ? invalid.querySelector("input") : invalid)?.focus();
    // Its error stands beneath it, where a phone's tabs or keyboard may be.
    const [error = ""] = invalid.getAttribute("aria-describedby")?.split(" ") ?? [];
    document.getElementById(error)?.scrollIntoView({ block: "nearest" });
  }, [isSubmitting, submissionAttempts]);
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isHeld || form.state.isSubmitting) return;
    clearErrors(form);
    void form.handleSubmit();
  };
  // Without code it sends nothing: what is typed, a password too, would end up in the address.
  return <form ref={element} method="dialog" noValidate onSubmit={submit} {...rest} />;
}

/** The error of the latest submit, if it belongs to no field. */
export function SubmitError() {
  const form = useFormContext();
  const message: FormMessage | undefined = useSelector(form.store, (state) => state.errorMap.onDynamic);
  return message && <FormError {...message} />;
}

/** Stays focusable while the form is being sent or can't be: it is never `disabled`. */
export function SubmitButton({
  isHeld = false,
  pendingLabel,
  variant = "primary",
  children,
  ...rest
}: ComponentProps<typeof Button> & { isHeld?: boolean; pendingLabel: string }) {
  const form = useFormContext();
  const isSubmitting = useSelector(form.store, (state) => state.isSubmitting);
  return (
    <Button type="submit" variant={variant} aria-disabled={isSubmitting || isHeld} {...rest}>
      {isSubmitting ? pendingLabel : children}
    </Button>
  );
}
