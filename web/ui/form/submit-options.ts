import { formOptions, revalidateLogic } from "@tanstack/react-form";
import type { FormMessage } from "../notices.tsx";

/**
 * Why a form could not be sent. `fields` are messages by the name of the field that each belongs to. `toast` is what a toast
 * says where the failure leads off the screen.
 */
export type SubmitIssue = { message: FormMessage; fields?: Readonly<Record<string, string>>; toast?: string };

/** The action of a form on its values once all of them are valid. */
export type Submission<Values> = {
  /** Rejects where the form stays as it is, with an error for `describeError`. */
  send: (
    values: Values,
    form: { reset: (values?: Values, options?: ResetOptions) => void },
  ) => void | Promise<void>;
  describeError: (error: unknown) => SubmitIssue;
};

type ResetOptions = { keepDefaultValues?: boolean };

/**
 * The options of a form that is checked when it is sent. Fields check themselves with `onDynamic`; errors
 * appear after a refused submit. A field's error is gone once the field is edited, the form's own once it is
 * sent again.
 */
export function submitOptions<Values extends object>({
  defaultValues,
  send,
  describeError,
}: Submission<Values> & { defaultValues: Values }) {
  return formOptions({
    defaultValues,
    validationLogic: revalidateLogic({ mode: "submit", modeAfterSubmission: "submit" }),
    validators: {
      onDynamicAsync: async ({ value, formApi }) => {
        try {
          await send(value, formApi);
          return undefined;
        } catch (error) {
          return toFormErrors(describeError(error), Object.keys(value));
        }
      },
    },
    listeners: { onChange: ({ fieldApi }) => fieldApi.setErrorMap({ onDynamic: undefined }) },
  });
}

/** Errors at the fields that the form has; what belongs to none of them is said of the whole form. */
function toFormErrors({ message, fields = {} }: SubmitIssue, names: readonly string[]) {
  const known = Object.entries(fields).filter(([name]) => names.includes(name));
  return known.length > 0 ? { fields: Object.fromEntries(known) } : { form: message, fields: {} };
}
