import { createFormHookContexts } from "@tanstack/react-form";

export const { fieldContext, formContext, useFieldContext, useFormContext } = createFormHookContexts();

/** The value of the field that is rendered, how to change it, and what is wrong with it. */
export function useFieldControl<Value>(): {
  value: Value;
  onChange: (value: Value) => void;
  error: string | undefined;
} {
  const { state, handleChange } = useFieldContext<Value>();
  const [error]: unknown[] = state.meta.errors;
  return {
    value: state.value,
    onChange: handleChange,
    error: typeof error === "string" ? error : undefined,
  };
}
