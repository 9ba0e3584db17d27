import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Link } from "@tanstack/react-router";
import { Receipt } from "lucide-react";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { buttonClass } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

/** While a receipt loads. */
export function ReceiptPending() {
  return (
    <Pending>
      <Screen>
        <output className="mx-auto grid w-full max-w-2xl gap-4">
          <span className="sr-only">{m.loading()}</span>
          <Skeleton className="h-9 w-48" />
          <Skeleton className="h-120" />
        </output>
      </Screen>
    </Pending>
  );
}

/** In place of a receipt: it is another driver's or there is none, or it couldn't be loaded. */
export function ReceiptError(caught: CaughtError) {
  return (
    <Screen>
      <div className="card">
        {errorCodeOf(caught.error) === "not_found" ? (
          <StatusPanel
            Icon={Receipt}
            heading="h1"
            title={m.receipt_missing()}
            actions={
              <Link to="/flex/payments" className={buttonClass("primary")}>
                {m.receipt_back()}
              </Link>
            }
          >
            {m.receipt_missing_text()}
          </StatusPanel>
        ) : (
          <LoadError {...caught} heading="h1" title={m.receipt_failed()} />
        )}
      </div>
    </Screen>
  );
}
