import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Printer } from "lucide-react";
import { receiptLinkQuery } from "../../api/queries/owner-links.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { TitledPage } from "../../ui/titled-page.tsx";
import { DEVICE_TIME_ZONE } from "../language/format.ts";
import { ExpiredLink, UnreadLink } from "../navigation/link-states.tsx";
import { LinkStore, useOpenedLink } from "../navigation/opened-link.ts";
import { ReceiptPaper } from "./receipt-screen.tsx";

const links = new LinkStore(38);

/** The receipts of an account that was deleted, as they are printed. */
export function ReceiptLinkScreen({ hash }: { hash: string }) {
  const link = useOpenedLink(links, { hash, to: "/receipts" });
  return (
    <TitledPage width="reading" title={m.receipts_title()}>
      {(link.status === "none" || link.status === "malformed") && <Expired />}
      {link.status === "opened" && <Receipts token={link.token} />}
    </TitledPage>
  );
}

function Receipts({ token }: { token: string }) {
  const { data, error, refetch } = useQuery(receiptLinkQuery(token));
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
          <ReceiptPaper key={receipt.paymentId} receipt={receipt} timeZone={DEVICE_TIME_ZONE} isOneOfMany />
        ))}
      </div>
    );
  }
  return <UnreadLink error={error} onRetry={() => void refetch()} expired={<Expired />} className="h-120" />;
}

function Expired() {
  const actions = (
    <Link to="/contact" className={buttonClass("plain")}>
      {m.nav_contact()}
    </Link>
  );
  return <ExpiredLink actions={actions}>{m.receipts_expired_text()}</ExpiredLink>;
}
