import type { ReactNode } from "react";
import type { Payment } from "../../../worker/contract/payments.ts";
import { m } from "../../messages/messages.js";
import { sayCount, sayExactMoney } from "../language/format.ts";
import { CUT_NAMES, sayPlan } from "./payment-words.ts";

/** What makes up a total; a quote and a payment have the same parts. */
export type Parts = Pick<
  Payment,
  | "plan"
  | "currency"
  | "priceCents"
  | "cutKind"
  | "cutCents"
  | "points"
  | "pointsCents"
  | "feeCents"
  | "totalCents"
>;

/** A total and what makes it up, as a receipt. */
export function Breakdown({ parts, isOld = false }: { parts: Parts; isOld?: boolean }) {
  const money = (cents: number) => sayExactMoney(cents, parts.currency);
  return (
    <dl aria-busy={isOld} className={`figures grid gap-1.5 transition-opacity ${isOld ? "opacity-55" : ""}`}>
      <Line name={m.pay_line_plan({ plan: sayPlan(parts.plan) })}>{money(parts.priceCents)}</Line>
      {parts.cutKind && (
        <Line name={CUT_NAMES[parts.cutKind]()} isOff>
          {money(-parts.cutCents)}
        </Line>
      )}
      {parts.points > 0 && (
        <Line name={m.pay_line_points({ points: sayCount(parts.points) })} isOff>
          {money(-parts.pointsCents)}
        </Line>
      )}
      <Line name={m.pay_line_fee()}>{money(parts.feeCents)}</Line>
      <div className="mt-1 flex items-baseline justify-between gap-3 border-t-2 border-dashed border-line pt-2.5 text-lg font-semibold">
        <dt>{m.pay_line_total()}</dt>
        <dd data-testid="total">{money(parts.totalCents)}</dd>
      </div>
    </dl>
  );
}

function Line({ name, children, isOff = false }: { name: string; children: ReactNode; isOff?: boolean }) {
  return (
    <div className="flex items-baseline justify-between gap-3">
      <dt className="text-soft">{name}</dt>
      <dd className={isOff ? "text-good" : ""}>{children}</dd>
    </div>
  );
}
