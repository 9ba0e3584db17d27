import type { Plan, PlanForSale } from "../../../db/shapes/money/plans.ts";
import { DAY_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import type { PaymentLine } from "../../../worker/contract/console/operator-drivers.ts";
import { IDENTITY_CHECKS, type IdentityCheck } from "../../../db/shapes/operators.ts";
import { toE164 } from "../../../locales/phone-number.ts";
import { parseAmount, parseChange, parseReason } from "../forms/typed-values.ts";

/** So many things about a driver are compared before their number is changed. */
const LEAST_CHECKS = 2;

/** An act that an operator is about to do, with what it is about. */
export type ActDraft =
  | {
      act:
        | "days"
        | "points"
        | "special_price"
        | "sign_out"
        | "unlink"
        | "disable"
        | "enable"
        | "test_text"
        | "show_phone"
        | "end_renewal"
        | "unlock"
        | "change_number"
        | "export_data"
        | "erase";
    }
  /** A payment that may have been paid. */
  | { act: "check_payment"; paymentId: string }
  /** A text that did not arrive. */
  | { act: "resend_text"; textId: string }
  | { act: "refund"; payment: PaymentLine }
  | { act: "end_price"; discountId: string; plan: Plan };

/** The values typed into an act's form. */
export type ActInput = {
  figure: string;
  keepsDays: boolean;
  plan: PlanForSale;
  forDays: string;
  checks: Record<IdentityCheck, boolean>;
  reason: string;
};

/** The fault of a field before anything is sent. */
export type ActIssues = Partial<
  Record<"figure" | "forDays" | "reason", "number" | "amount" | "reason" | "phone" | "checks">
>;

/** The act that a form describes, or what is wrong with it. */
export function parseAct(
  draft: ActDraft,
  input: ActInput,
  now: EpochMs,
): { act: DriverAct } | { issues: ActIssues } {
  const reason = parseReason(input.reason);
  const issues: ActIssues = reason === null ? { reason: "reason" } : {};
  const act = toAct(draft, { ...input, reason: reason ?? "" }, { issues, now });
  return act === null || Object.keys(issues).length > 0 ? { issues } : { act };
}

function toAct(
  draft: ActDraft,
  { figure, keepsDays, plan, forDays, checks, reason }: ActInput,
  { issues, now }: { issues: ActIssues; now: EpochMs },
): DriverAct | null {
  const orIssue = <Value>(value: Value | null, field: keyof ActIssues, issue: "number" | "amount") => {
    if (value === null) issues[field] = issue;
    return value;
  };
  switch (draft.act) {
    case "days": {
      const days = orIssue(parseChange(figure), "figure", "number");
      return days === null ? null : { act: "days", days, reason };
    }
    case "points": {
      const points = orIssue(parseChange(figure), "figure", "number");
      return points === null ? null : { act: "points", points, reason };
    }
    case "refund": {
      const cents = orIssue(parseAmount(figure), "figure", "amount");
      return cents === null ? null : { act: "refund", paymentId: draft.payment.id, cents, keepsDays, reason };
    }
    case "special_price": {
      const priceCents = orIssue(parseAmount(figure), "figure", "amount");
      const days = orIssue(parseChange(forDays), "forDays", "number");
      if (priceCents === null || days === null) return null;
      return { act: "special_price", plan, priceCents, endsAt: now + days * DAY_MS, reason };
    }
    case "check_payment":
      return { act: "check_payment", paymentId: draft.paymentId, reason };
    case "change_number": {
      const phoneNumber = toE164(figure);
      if (phoneNumber === null) issues.figure = "phone";
      const compared = IDENTITY_CHECKS.filter((check) => checks[check]);
      if (compared.length < LEAST_CHECKS) issues.reason = "checks";
      return phoneNumber === null ? null : { act: "change_number", phoneNumber, checks: compared, reason };
    }
    case "resend_text":
      return { act: "resend_text", textId: draft.textId, reason };
    case "end_price":
      return { act: "end_price", discountId: draft.discountId, reason };
    default:
      return { act: draft.act, reason };
  }
}
