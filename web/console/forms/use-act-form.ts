import { RequestError } from "../../api/client/request-error.ts";
import { useSubmitForm } from "../../ui/form/app-form.tsx";
import { consoleErrorMessage } from "../calls/console-error-message.ts";
import { useOperator } from "../calls/operator.ts";

/** What is said at fields, by their names. */
type FieldMessages = Partial<Record<string, string | undefined>>;
/** What a form describes, or what is wrong with its fields. */
export type Described<Act> = { act: Act } | { issues: FieldMessages };

/** What was typed describes nothing that could be sent. */
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
  /** What the server's refusal says of the form's fields; of the whole form where that is nothing. */
  refusal?: (fields: RequestError["fields"]) => FieldMessages;
  /** What it says of the whole form, where that is more than its code says. */
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

/** What to say at the fields that are wrong. */
export function fieldMessages<Name extends string>(
  issues: Partial<Record<Name, unknown>>,
  messages: Record<Name, () => string>,
): FieldMessages {
  const wrong = Object.entries<() => string>(messages).filter(([name]) => name in issues);
  return Object.fromEntries(wrong.map(([name, message]) => [name, message()]));
}
