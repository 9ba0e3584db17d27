import { FormError } from "../../ui/notices.tsx";
import { consoleErrorMessage, useOperator, OperatorContext } from "./operator.ts";
import { m } from "../messages/messages.js";
import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { Suspense, useContext, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";

/**
 * Above what a query brings, where a part of a screen loads by itself: that it does, or why it doesn't. Earlier data
 * stays below.
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

/** Around a screen, or a part of one: what shows until it is loaded, and where it can't be. */
export function ScreenBoundary({ children }: { children: ReactNode }) {
  return (
    <CatchBoundary getResetKey={() => 0} errorComponent={NotLoaded}>
      <Suspense fallback={<output className="block">{m.loading()}</output>}>{children}</Suspense>
    </CatchBoundary>
  );
}

function NotLoaded({ error, reset }: ErrorComponentProps) {
  const me = useContext(OperatorContext);
  const queries = useQueryErrorResetBoundary();
  return (
    <div className="grid justify-items-start gap-3">
      <FormError title={consoleErrorMessage(error, me)} />
      <Button
        onClick={() => {
          queries.reset();
          reset();
        }}
      >
        {m.retry()}
      </Button>
    </div>
  );
}
