import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { PaymentHistory } from "./payment-history.tsx";

/** The frame around buying a plan or a payment's outcome, with the payment history below. */
export function PaymentsScreen({ children }: { children: ReactNode }) {
  return (
    <Screen title={m.pay_title()}>
      {children}
      <PaymentHistory />
    </Screen>
  );
}
