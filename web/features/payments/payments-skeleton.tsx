import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** While the screen's code loads. */
export function PaymentsPending() {
  return (
    <Screen title={m.pay_title()}>
      <PlanPurchasePending />
    </Screen>
  );
}

/** While the plans, or a payment's outcome, load. */
export function PlanPurchasePending() {
  return (
    <Pending>
      <output className="grid gap-5">
        <span className="sr-only">{m.loading()}</span>
        <Skeleton className="h-5 w-56" />
        <div className="grid grid-cols-2 gap-2 sm:gap-3 lg:grid-cols-4">
          {["a", "b", "c", "d"].map((card) => (
            <Skeleton key={card} className="h-19" />
          ))}
        </div>
        <Skeleton className="h-80" />
      </output>
    </Pending>
  );
}
