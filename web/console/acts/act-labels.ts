import { PLANS_FOR_SALE } from "../../../db/shapes/money/plans.ts";
import type { ActKind, ActFacts } from "../../../db/shapes/operators.ts";
import { DEVICE_TIME_ZONE, formatCount, formatExactMoney } from "../../features/language/format.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { formatInstant } from "../tables/format-instant.ts";
import { m } from "../messages/messages.js";

/** The name of each act, on its button and in the log. */
export const ACT_LABELS = {
  days: m.act_days,
  points: m.act_points,
  refund: m.act_refund,
  refund_failed: m.act_refund_failed,
  special_price: m.act_special_price,
  end_price: m.act_end_price,
  sign_out: m.act_sign_out,
  unlink: m.act_unlink,
  disable: m.act_disable,
  enable: m.act_enable,
  test_text: m.act_test_text,
  resend_text: m.act_resend_text,
  show_phone: m.act_show_phone,
  check_payment: m.act_check_payment,
  end_renewal: m.act_end_renewal,
  unlock: m.act_unlock,
  change_number: m.act_change_number,
  export_data: m.act_export_data,
  erase: m.act_erase,
  ask: m.act_ask,
  decline: m.act_decline,
  sale: m.act_sale,
  end_sale: m.act_end_sale,
  list_price: m.act_list_price,
  city_spots: m.act_city_spots,
  announce: m.act_announce,
  end_announcement: m.act_end_announcement,
  after_restore: m.act_after_restore,
  release_renewals: m.act_release_renewals,
  revoke_keys: m.act_revoke_keys,
  rotate_keys: m.act_rotate_keys,
  compensate_raffle: m.act_compensate_raffle,
  end_sessions: m.act_end_sessions,
  resolve_error: m.act_resolve_error,
  reopen_error: m.act_reopen_error,
  raffle: m.act_raffle,
  end_raffle: m.act_end_raffle,
  draw: m.act_draw,
  export: m.act_export,
  other: m.act_other,
} satisfies Record<ActKind, () => string>;

/** The currency that an act's facts name: a refund's is that of its payment. */
export function currencyIn(facts: ActFacts): string | null {
  const { currency } = facts;
  return typeof currency === "string" ? currency : null;
}

/** Facts of an act in one line: money, instants and counts as such. Ids say nothing to anybody; sums name their currency. */
export function formatFacts(facts: ActFacts, { currency, now }: { currency: string; now: number }): string {
  return Object.entries(facts)
    .flatMap(([name, value]) => {
      if (value === null || name.endsWith("Id") || name === "currency") return [];
      if (typeof value === "boolean") return name === "keepsDays" && value ? [m.field_keeps()] : [];
      if (typeof value === "string") {
        const sold = PLANS_FOR_SALE.find((plan) => name === "plan" && plan === value);
        return [sold ? formatPlan(sold) : value];
      }
      if (name.endsWith("ents")) return [formatExactMoney(value, currency)];
      if (/(?:At|Until|Since)$/u.test(name))
        return [formatInstant(value, { timeZone: DEVICE_TIME_ZONE, now })];
      return [formatCount(value)];
    })
    .join(", ");
}
