import { createStore, useSelector, type Store } from "@tanstack/react-store";
import { useEffect } from "react";
import { createRefCount } from "./ref-count.ts";

/** What is typed into one form: it survives a change of language, and is forgotten as soon as the form is left. */
export type FormStore<Values extends object> = {
  store: Store<Values>;
  retain: () => () => void;
  update: (change: Partial<Values>) => void;
  reset: () => void;
};

/** One for each form, at the top of its module. */
export function createFormStore<Values extends object>(empty: Values): FormStore<Values> {
  const store = createStore(empty);
  const reset = () => store.setState(() => empty);
  const update = (change: Partial<Values>) => store.setState((values) => ({ ...values, ...change }));
  return { store, retain: createRefCount(reset), update, reset };
}

export function useFormValues<Values extends object>({ store, retain }: FormStore<Values>): Values {
  useEffect(retain, [retain]);
  return useSelector(store);
}
