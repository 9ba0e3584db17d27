import { createFileRoute, useLocation } from "@tanstack/react-router";
import { ReceiptLinkScreen } from "../features/receipts/receipt-link-screen.tsx";

export const Route = createFileRoute("/receipts")({ component: ReceiptLink });

function ReceiptLink() {
  const hash = useLocation({ select: (location) => location.hash });
  return <ReceiptLinkScreen hash={hash} />;
}
