import { RequestError } from "../../api/client/request-error.ts";
import { sendOnce } from "../../api/client/send-once.ts";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { consoleErrorMessage, useOperator } from "../calls/operator.ts";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { toast } from "sonner";
import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import { postDeploymentAct } from "../calls/acts.ts";
import { m } from "../messages/messages.js";

/** The messages at fields, by their names. */
type FieldMessages = Partial<Record<string, string | undefined>>;
/** The value that a form describes, or the faults of its fields. */
export type Described<Act> = { act: Act } | { issues: FieldMessages };

/** The typed values describe nothing that could be sent. */
class UnfinishedForm extends Error {
  readonly words: FieldMessages;

  constructor(words: FieldMessages) {
    super("the form is not finished");
    this.words = words;
  }
}

/** A form that describes an act. All its fields are checked together when it is sent. */
export function useActForm<Values extends object, Act>({
  defaultValues,
  describe,
  send,
  refusal = () => ({}),
  describeRefusal = () => undefined,
}: {
  defaultValues: Values;
  describe: (values: Values) => Described<Act> | Promise<Described<Act>>;
  send: (act: Act) => Promise<unknown>;
  /** The server's refusal by the form's fields; of the whole form if it names none. */
  refusal?: (fields: RequestError["fields"]) => FieldMessages;
  /** Its message for the whole form, if that is more than its code's. */
  describeRefusal?: (error: unknown) => string | undefined;
}) {
  const me = useOperator();
  return useSubmitForm({
    defaultValues,
    send: async (values) => {
      const described = await describe(values);
      if ("issues" in described) throw new UnfinishedForm(described.issues);
      await send(described.act);
    },
    describeError: (error) => {
      const words =
        error instanceof UnfinishedForm
          ? error.words
          : error instanceof RequestError
            ? refusal(error.fields)
            : {};
      return {
        message: { title: describeRefusal(error) ?? consoleErrorMessage(error, me) },
        fields: said(words),
      };
    },
  });
}

function said(words: FieldMessages): Record<string, string> {
  return Object.fromEntries(
    Object.entries(words).flatMap(([field, text]) => (text === undefined ? [] : [[field, text]])),
  );
}

/** The messages for the wrong fields. */
export function fieldMessages<Name extends string>(
  issues: Partial<Record<Name, unknown>>,
  messages: Record<Name, () => string>,
): FieldMessages {
  const wrong = Object.entries<() => string>(messages).filter(([name]) => name in issues);
  return Object.fromEntries(wrong.map(([name, message]) => [name, message()]));
}

/** The kind of an act, and what it is about: two of one kind may be under way at once. */
function subjectOf(act: DeploymentAct): unknown[] {
  return [act.act, Object.entries(act).filter(([name]) => /^(?:\w+Id|city|plan|raffle)$/u.test(name))];
}

/** Sends an act on the whole deployment. */
export function useDeploymentAct(onDone: () => void) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (act: DeploymentAct) => sendOnce(subjectOf(act), (key) => postDeploymentAct(key, act)),
    onSuccess: () => {
      toast.success(m.done());
      onDone();
    },
    onSettled: () => queryClient.invalidateQueries(),
  });
}
