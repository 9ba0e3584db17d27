import { useQueryErrorResetBoundary } from "@tanstack/react-query";
import { CatchBoundary, type ErrorComponentProps } from "@tanstack/react-router";
import { Suspense, useContext, type ReactNode } from "react";
import { Button } from "../../ui/button.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { consoleErrorMessage } from "./console-error-message.ts";
import { m } from "../messages/messages.js";
import { OperatorContext } from "./operator.ts";

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
