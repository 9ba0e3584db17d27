import { PLANS_FOR_SALE } from "../../../db/shapes/money/plans.ts";
import type { Audience } from "../../../db/shapes/announcement.ts";
import { LANGUAGE_FACTS, LANGUAGES } from "../../../db/shapes/language.ts";
import type { ActKind, ActFacts, IdentityCheck } from "../../../db/shapes/operators.ts";
import { recordOf } from "../../../db/shapes/record-of.ts";
import type { DriverTable, ExportOrder } from "../../../worker/contract/console/operator-exports.ts";
import { DEVICE_TIME_ZONE, formatCount, formatExactMoney } from "../../features/language/format.ts";
import { formatPlan } from "../../features/payments/payment-labels.ts";
import { formatInstant } from "../../features/language/format-instant.ts";
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

export const CHECK_LABELS = {
  platform_email: m.check_platform_email,
  last_payment: m.check_last_payment,
  last_block: m.check_last_block,
  warehouses: m.check_warehouses,
  video_call: m.check_video_call,
} satisfies Record<IdentityCheck, () => string>;

/** The tables that can be had as files. A driver's own are told by their parts. */
const TABLE_LABELS = {
  payments: m.payments,
  refunds: m.refunds,
  disputes: m.disputes,
  drivers: m.nav_drivers,
  acts: m.acts_all,
  cities: m.nav_cities,
  fleet: m.nav_fleet,
  comments: m.comments,
  driver: m.driver,
} satisfies Record<ExportOrder["table"], () => string>;

const PART_LABELS = {
  live: m.live,
  filters: m.filters,
  service: m.service,
  points: m.points,
  payments: m.payments,
  prices: m.prices,
  texts: m.texts,
  sessions: m.sessions,
  security: m.security,
  invitations: m.invitations,
  acts: m.acts,
} satisfies Record<DriverTable, () => string>;

export const AUDIENCE_LABELS = {
  all: m.audience_all,
  city: m.audience_city,
  language: m.audience_language,
} satisfies Record<Audience["kind"], () => string>;

const LANGUAGE_LABELS = recordOf(LANGUAGES, (language) => () => LANGUAGE_FACTS[language].name);

type Labels = Readonly<Record<string, () => string>>;

/** The words that a fact may be, by its name. Others are what somebody wrote, or a later release's: they stand as they are. */
const WORDS: Readonly<Record<string, Labels>> = {
  plan: recordOf(PLANS_FOR_SALE, (plan) => () => formatPlan(plan)),
  asked: ACT_LABELS,
  table: TABLE_LABELS,
  part: PART_LABELS,
  audience: AUDIENCE_LABELS,
  audienceOf: LANGUAGE_LABELS,
};

function formatWord(name: string, value: string): string {
  if (name === "checks")
    return value
      .split(", ")
      .map((check) => wordOf(CHECK_LABELS, check))
      .join(", ");
  return wordOf(WORDS[name] ?? {}, value);
}

function wordOf(labels: Labels, word: string): string {
  return Object.hasOwn(labels, word) ? (labels[word]?.() ?? word) : word;
}

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
      if (typeof value === "string") return [formatWord(name, value)];
      if (name.endsWith("ents")) return [formatExactMoney(value, currency)];
      if (/(?:At|Until|Since)$/u.test(name))
        return [formatInstant(value, { timeZone: DEVICE_TIME_ZONE, now })];
      return [formatCount(value)];
    })
    .join(", ");
}
