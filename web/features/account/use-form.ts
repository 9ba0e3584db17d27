import { useEffect, useRef, useState, type FormEvent } from "react";
import { sayInOne, type AuthWords } from "./auth-words.ts";

/** What is wrong, by the name of the field. */
export type Faults<Name extends string> = ReadonlyMap<Name, string>;

/** What a failed sending says, and at which field where it belongs to one. */
type Refused = { words: AuthWords; field?: string };

/**
 * Sends a form once: a second click while it is under way does nothing. What is missing is marked at its
 * field, and the first of them takes the focus, so that it is read out.
 */
export function useForm<Name extends string>({
  fields,
  check,
  send,
  explain,
}: {
  /** In the order in which they stand. */
  fields: readonly Name[];
  check: () => Partial<Record<Name, string | undefined>>;
  send: () => Promise<void>;
  explain: (error: unknown) => Refused;
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
    const found = faultsOf(check(), fields);
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
      const own = fields.find((name) => name === field);
      if (own) fail(new Map([[own, sayInOne(words)]]), null);
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
  /** What was typed anew is not wrong any more. */
  const clear = (typed: Partial<Record<Name, unknown>>) => {
    const left = [...faults].filter(([name]) => !(name in typed));
    if (left.length < faults.size) setFaults(new Map(left));
  };
  return { form, isPending, faults, problem, onSubmit, clear };
}

/** The faults that there are, by the name of their field. */
function faultsOf<Name extends string>(
  found: Partial<Record<Name, string | undefined>>,
  names: readonly Name[],
): Faults<Name> {
  const faults = new Map<Name, string>();
  for (const name of names) {
    const fault = found[name];
    if (fault !== undefined) faults.set(name, fault);
  }
  return faults;
}
