import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { PaymentHistory } from "./payment-history.tsx";

/** Days of service: what they cost and paying for them, which is the address's to say, and what was paid. */
export function PaymentsScreen({ children }: { children: ReactNode }) {
  return (
    <Screen title={m.pay_title()}>
      {children}
      <PaymentHistory />
    </Screen>
  );
}
