import type { AnyFormApi } from "@tanstack/react-form";

type RemountableForm = Pick<AnyFormApi, "state" | "baseStore" | "setErrorMap">;
type TypedState = Pick<AnyFormApi["state"], "values" | "fieldMetaBase">;

/** Carries what was typed from a form to the one that replaces it. */
export type RemountState = {
  /** Called when a form mounts. Returns what to call when it unmounts. */
  attach: (form: RemountableForm) => () => void;
};

/**
 * One for each form, at the top of its module. A change of language unmounts every component and mounts it
 * anew in the same commit: the new form takes over what was typed into the old one. Where none is mounted in
 * its place, it is forgotten at once, so that no password outlives its screen.
 * @param onForgotten forgets what else must not outlive the screen
 */
export function createRemountState(onForgotten?: () => void): RemountState {
  let typed: TypedState | null = null;
  const attach = (form: RemountableForm) => {
    if (typed) {
      const { values, fieldMetaBase } = typed;
      form.baseStore.setState((state) => ({ ...state, values, fieldMetaBase }));
      // They are in the previous language.
      clearErrors(form);
    }
    typed = null;
    return () => {
      const { values, fieldMetaBase } = form.state;
      const left = { values, fieldMetaBase };
      typed = left;
      queueMicrotask(() => {
        if (typed !== left) return;
        typed = null;
        onForgotten?.();
      });
    };
  };
  return { attach };
}

/** Removes the errors of all fields and of the form itself. */
export function clearErrors(form: Pick<RemountableForm, "setErrorMap">): void {
  form.setErrorMap({ onDynamic: { fields: {} } });
}
