import { useRouterState } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { SETTLED_CLASS } from "../../ui/skeleton.tsx";
import { Screen } from "../../ui/screen.tsx";
import { PaymentHistory } from "./payment-history.tsx";

/** The frame around buying a plan or a payment's outcome, with the payment history below. */
export function PaymentsScreen({ children }: { children: ReactNode }) {
  // The content above takes its final height first.
  const isFirstLoad = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation === undefined });
  return (
    <Screen title={m.pay_title()}>
      <div className="peer grid grid-cols-1 gap-4">{children}</div>
      <div className={isFirstLoad ? "invisible" : SETTLED_CLASS}>
        <PaymentHistory />
      </div>
    </Screen>
  );
}
