import { FormError } from "../../ui/form-error.tsx";
import { consoleErrorMessage } from "./console-error-message.ts";
import { m } from "../messages/messages.js";
import { useOperator } from "./operator.ts";

/**
 * Above what a query brings, where a part of a screen loads by itself: that it does, or why it doesn't. What was read
 * before stays below.
 */
export function QueryState({
  query: { isPending, error },
  className = "px-5 pb-4",
}: {
  query: { isPending: boolean; error: unknown };
  className?: string;
}) {
  const me = useOperator();
  if (error) {
    return (
      <div className={className}>
        <FormError title={consoleErrorMessage(error, me)} />
      </div>
    );
  }
  return isPending ? <output className={`block text-soft ${className}`}>{m.loading()}</output> : null;
}
