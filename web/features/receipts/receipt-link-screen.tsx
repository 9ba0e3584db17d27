import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { createStore, useSelector } from "@tanstack/react-store";
import { LinkIcon, Printer } from "lucide-react";
import { useEffect } from "react";
import { errorCodeOf, errorRequestId } from "../../api/client/request-error.ts";
import { receiptLinkQuery } from "../../api/queries/owner-links.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Pending } from "../../ui/pending.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { LoadErrorPanel } from "../errors/load-error.tsx";
import { errorText } from "../language/error-messages.ts";
import { DEVICE_TIME_ZONE } from "../language/format.ts";
import { ReceiptPaper } from "./receipt-screen.tsx";

/** The link that was opened, in memory only. Outlives a change of language, which remounts the screen. */
const linkStore = createStore<{ token: string | null }>({ token: null });

const TOKEN = /^[\w-]{38}$/;

/** The receipts of an account that was deleted, as they are printed. The token is read once and dropped from the address. */
export function ReceiptLinkScreen({ hash }: { hash: string }) {
  const navigate = useNavigate();
  const token = useSelector(linkStore, (state) => state.token);
  useEffect(() => {
    if (hash === "") return;
    linkStore.setState(() => ({ token: TOKEN.test(hash) ? hash : "" }));
    void navigate({ to: "/receipts", hash: "", replace: true });
  }, [hash, navigate]);
  return (
    <TitledPage width="reading" title={m.receipts_title()}>
      {token === null ? hash === "" && <Expired /> : <Receipts token={token} />}
    </TitledPage>
  );
}

function Receipts({ token }: { token: string }) {
  const { data, error, refetch } = useQuery({ ...receiptLinkQuery(token), enabled: token !== "" });
  if (data) {
    return (
      <div className="grid grid-cols-1 gap-4">
        <div className="flex flex-wrap items-center justify-between gap-3 print:hidden">
          <p className="min-w-40 flex-1 text-soft">{m.receipts_text()}</p>
          <Button variant="primary" onClick={() => print()}>
            <Printer aria-hidden className="size-4" />
            {m.receipt_print()}
          </Button>
          <Link to="/contact" className={buttonClass("quiet")}>
            {m.nav_contact()}
          </Link>
        </div>
        {data.map((receipt) => (
          <ReceiptPaper key={receipt.paymentId} receipt={receipt} timeZone={DEVICE_TIME_ZONE} />
        ))}
      </div>
    );
  }
  if (token === "" || (error && errorCodeOf(error) === "undo_expired")) return <Expired />;
  if (error) {
    return (
      <LoadErrorPanel
        onRetry={() => void refetch()}
        title={m.undo_load_failed()}
        requestId={errorRequestId(error)}
      >
        {errorText(error)}
      </LoadErrorPanel>
    );
  }
  return (
    <Pending>
      <output>
        <span className="sr-only">{m.loading()}</span>
        <Skeleton className="h-120 rounded-card" />
      </output>
    </Pending>
  );
}

function Expired() {
  const actions = (
    <Link to="/contact" className={buttonClass("plain")}>
      {m.nav_contact()}
    </Link>
  );
  return (
    <StatusPanel Icon={LinkIcon} role="alert" title={m.problem_undo_expired()} actions={actions}>
      {m.receipts_expired_text()}
    </StatusPanel>
  );
}
