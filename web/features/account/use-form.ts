import { useEffect, useRef, useState, type FormEvent } from "react";
import { sayInOne, type AuthWords } from "./auth-words.ts";

/** What is wrong, by the name of the field. */
export type Faults<Name extends string> = ReadonlyMap<Name, string>;

/** What a failed sending says, and at which field where it belongs to one. */
export type Refused<Name extends string> = { words: AuthWords; field?: Name };

/**
 * Sends a form once: a second click while it is under way does nothing. What is missing is marked at its
 * field, and the first of them takes the focus, so that it is read out.
 */
export function useForm<Name extends string>({
  check,
  send,
  explain,
}: {
  check: () => Faults<Name>;
  send: () => Promise<void>;
  explain: (error: unknown) => Refused<Name>;
}) {
  const form = useRef<HTMLFormElement>(null);
  const isSending = useRef(false);
  const [isPending, setPending] = useState(false);
  const [faults, setFaults] = useState<Faults<Name>>(new Map());
  const [problem, setProblem] = useState<AuthWords | null>(null);
  const [failures, setFailures] = useState(0);

  useEffect(() => {
    if (failures > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [failures]);

  const fail = (found: Faults<Name>, whole: AuthWords | null) => {
    setFaults(found);
    setProblem(whole);
    setFailures((count) => count + 1);
  };
  const submit = async () => {
    if (isSending.current) return;
    const found = check();
    if (found.size > 0) {
      fail(found, null);
      return;
    }
    isSending.current = true;
    setPending(true);
    setFaults(new Map());
    setProblem(null);
    try {
      await send();
    } catch (error) {
      const { words, field } = explain(error);
      if (field) fail(new Map([[field, sayInOne(words)]]), null);
      else fail(new Map(), words);
    } finally {
      isSending.current = false;
      setPending(false);
    }
  };
  const onSubmit = (event: FormEvent) => {
    event.preventDefault();
    void submit();
  };
  const clear = (name: Name) => {
    if (faults.has(name)) setFaults(new Map([...faults].filter(([other]) => other !== name)));
  };
  return { form, isPending, faults, problem, onSubmit, clear };
}
