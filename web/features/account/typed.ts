import { createStore, useSelector, type Store } from "@tanstack/react-store";
import { useEffect } from "react";
import { createHold } from "./hold.ts";

/** What is typed into one form: it survives a change of language, and is forgotten as soon as the form is left. */
export type Typed<Values extends object> = {
  store: Store<Values>;
  hold: () => () => void;
  type: (change: Partial<Values>) => void;
  forget: () => void;
};

/** One for each form, at the top of its module. */
export function createTyped<Values extends object>(empty: Values): Typed<Values> {
  const store = createStore(empty);
  const forget = () => store.setState(() => empty);
  const type = (change: Partial<Values>) => store.setState((values) => ({ ...values, ...change }));
  return { store, hold: createHold(forget), type, forget };
}

export function useTyped<Values extends object>({ store, hold }: Typed<Values>): Values {
  useEffect(hold, [hold]);
  return useSelector(store);
}
