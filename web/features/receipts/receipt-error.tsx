import { Link } from "@tanstack/react-router";
import { Receipt } from "lucide-react";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { Screen } from "../../ui/screen.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

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
