import { LANGUAGE_FACTS, LANGUAGES } from "../../../db/shapes/language.ts";
import type {
  CityHoursResponse,
  FleetDriversResponse,
  FleetResponse,
} from "../../../worker/contract/console/fleet.ts";
import type {
  DisputeInList,
  PaymentInList,
  RefundInList,
  RevenueLine,
} from "../../../worker/contract/console/operator-money.ts";
import type { ActEntry } from "../../../worker/contract/console/operators.ts";
import type {
  CitiesResponse,
  PricesResponse,
  RaffleListResponse,
} from "../../../worker/contract/console/operator-deployment.ts";
import type { FoundDriver } from "../../../worker/contract/console/operator-drivers.ts";
import type {
  ErrorsResponse,
  OperatorAnnouncements,
  OperatorFeedback,
} from "../../../worker/contract/console/voice.ts";
import { formatPlan, STATUS_LABELS } from "../../features/payments/payment-labels.ts";
import { ACT_LABELS } from "../acts/act-labels.ts";
import { audienceLabel, ERROR_STATUS_LABELS } from "../voice/voice-labels.ts";
import { FLEET_STATE_LABELS } from "../fleet/fleet-labels.ts";
import { toAmount, toInstant, type CsvColumn } from "../../ui/csv.ts";
import { m } from "../messages/messages.js";
import { netOf } from "../money/money-days.ts";
import { outcomeOf } from "../raffles/raffle-state.ts";
import { backLabel, disputeLabel } from "../money/money-labels.ts";

type CityHourRow = { city: string } & CityHoursResponse["cities"][number]["hours"][number];

const utc = (title: string) => `${title} (UTC)`;

/** The columns of each file, named in the operator's language. */
export const CSV_COLUMNS = {
  revenue: (): CsvColumn<RevenueLine>[] => [
    { title: m.day(), value: ({ day }) => day },
    { title: m.plan(), value: ({ plan }) => formatPlan(plan) },
    { title: m.payments(), value: ({ payments }) => payments },
    { title: m.money_gross(), value: ({ grossCents }) => toAmount(grossCents) },
    { title: m.money_refunded(), value: ({ refundedCents }) => toAmount(refundedCents) },
    { title: m.money_disputed(), value: ({ disputedCents }) => toAmount(disputedCents) },
    { title: m.money_net(), value: (line) => toAmount(netOf(line)) },
  ],
  payments: (): CsvColumn<PaymentInList>[] => [
    { title: utc(m.when()), value: ({ at }) => toInstant(at) },
    { title: m.driver(), value: ({ name }) => name },
    { title: "ID", value: ({ id }) => id },
    { title: m.plan(), value: ({ plan }) => formatPlan(plan) },
    { title: m.status(), value: ({ status }) => STATUS_LABELS[status].name() },
    { title: m.currency(), value: ({ currency }) => currency },
    { title: m.amount(), value: ({ totalCents }) => toAmount(totalCents) },
    { title: m.money_refunded(), value: ({ refundedCents }) => toAmount(refundedCents) },
    { title: m.fee(), value: ({ processorFeeCents }) => toAmount(processorFeeCents) },
    { title: m.receipt(), value: ({ receiptNumber }) => receiptNumber },
  ],
  refunds: (): CsvColumn<RefundInList>[] => [
    { title: utc(m.when()), value: ({ at }) => toInstant(at) },
    { title: m.driver(), value: ({ name }) => name },
    { title: "ID", value: ({ id }) => id },
    { title: m.what(), value: backLabel },
    { title: m.plan(), value: ({ plan }) => formatPlan(plan) },
    { title: m.currency(), value: ({ currency }) => currency },
    { title: m.amount(), value: ({ cents }) => toAmount(cents) },
    { title: m.refund_of(), value: ({ totalCents }) => toAmount(totalCents) },
  ],
  disputes: (now: number): CsvColumn<DisputeInList>[] => [
    { title: utc(m.dispute_due()), value: ({ dueAt }) => toInstant(dueAt) },
    { title: utc(m.when()), value: ({ at }) => toInstant(at) },
    { title: m.driver(), value: ({ name }) => name },
    { title: "ID", value: ({ id }) => id },
    { title: m.plan(), value: ({ plan }) => formatPlan(plan) },
    { title: m.currency(), value: ({ currency }) => currency },
    { title: m.amount(), value: ({ cents }) => toAmount(cents) },
    { title: m.fee(), value: ({ feeCents }) => toAmount(feeCents) },
    { title: m.dispute_reason(), value: ({ reason }) => reason },
    { title: m.dispute_do(), value: (dispute) => disputeLabel(dispute, now) },
  ],
  cityHours: (): CsvColumn<CityHourRow>[] => [
    { title: m.city(), value: ({ city }) => city },
    { title: utc(m.fleet_hour()), value: ({ at }) => toInstant(at) },
    { title: m.fleet_looking(), value: ({ looking }) => looking },
    { title: m.city_offers(), value: ({ offers }) => offers },
    { title: m.city_matches(), value: ({ matches }) => matches },
    { title: m.fleet_captures(), value: ({ captures }) => captures },
    { title: m.fleet_losses(), value: ({ losses }) => losses },
    { title: m.answer_ok(), value: ({ answered }) => answered },
    { title: m.plot_refusals(), value: ({ refused }) => refused },
    { title: m.fleet_errors(), value: ({ failed }) => failed },
    { title: m.city_soft_blocks(), value: ({ softBlocks }) => softBlocks },
    { title: m.city_usual({ what: m.city_offers() }), value: ({ usual }) => usual?.offers ?? null },
    { title: m.city_usual({ what: m.fleet_captures() }), value: ({ usual }) => usual?.captures ?? null },
    { title: m.city_usual({ what: m.answer_ok() }), value: ({ usual }) => usual?.answered ?? null },
  ],
  drivers: (): CsvColumn<FoundDriver>[] => [
    { title: "ID", value: ({ id }) => id },
    { title: m.name(), value: ({ name }) => name },
    { title: m.phone(), value: ({ phone }) => phone },
    { title: m.email(), value: ({ flexEmail }) => flexEmail },
    { title: m.region(), value: ({ humanRegion }) => humanRegion },
    {
      title: m.state(),
      value: ({ isLinked, isSwitchedOn }) =>
        isLinked ? (isSwitchedOn ? m.state_on() : m.state_off()) : m.state_not_linked(),
    },
    { title: utc(m.joined()), value: ({ createdAt }) => toInstant(createdAt) },
  ],
  acts: (): CsvColumn<ActEntry>[] => [
    { title: utc(m.when()), value: ({ at }) => toInstant(at) },
    { title: m.who(), value: ({ operator }) => operator },
    { title: m.what(), value: ({ act }) => ACT_LABELS[act]() },
    { title: m.driver(), value: ({ driverId }) => driverId },
    { title: m.change(), value: ({ what }) => JSON.stringify(what) },
    { title: m.before(), value: ({ before }) => JSON.stringify(before) },
    { title: m.after(), value: ({ after }) => JSON.stringify(after) },
    { title: m.why(), value: ({ reason }) => reason },
  ],
  raffles: (): CsvColumn<RaffleListResponse["raffles"][number]>[] => [
    { title: m.raffle_id(), value: ({ id }) => id },
    { title: m.plan(), value: ({ plan }) => formatPlan(plan) },
    { title: utc(m.from()), value: ({ startsAt }) => toInstant(startsAt) },
    { title: utc(m.until()), value: ({ endsAt }) => toInstant(endsAt) },
    { title: m.raffle_entries(), value: ({ entries }) => entries },
    { title: m.raffle_winners(), value: ({ winners }) => winners },
    { title: m.state(), value: (raffle) => outcomeOf(raffle).name() },
  ],
  sales: (): CsvColumn<PricesResponse["sales"][number]>[] => [
    { title: m.plan(), value: ({ plan }) => formatPlan(plan) },
    { title: m.price(), value: ({ priceCents }) => toAmount(priceCents) },
    { title: utc(m.from()), value: ({ startsAt }) => toInstant(startsAt) },
    { title: utc(m.until()), value: ({ endsAt }) => toInstant(endsAt) },
  ],
  prices: (): CsvColumn<PricesResponse["prices"][number] & { startsAt: number | null }>[] => [
    { title: m.plan(), value: ({ plan }) => formatPlan(plan) },
    { title: m.price(), value: ({ priceCents }) => toAmount(priceCents) },
    { title: utc(m.from()), value: ({ startsAt }) => toInstant(startsAt) },
  ],
  fleet: (): CsvColumn<FleetDriversResponse["drivers"][number]>[] => [
    { title: "ID", value: ({ id }) => id },
    { title: m.name(), value: ({ name }) => name },
    { title: m.phone(), value: ({ phone }) => phone },
    { title: m.state(), value: ({ state }) => state && FLEET_STATE_LABELS[state]() },
    { title: utc(m.fleet_since()), value: ({ since }) => toInstant(since) },
    { title: utc(m.fleet_reported()), value: ({ reportedAt }) => toInstant(reportedAt) },
  ],
  fleetHours: (): CsvColumn<FleetResponse["hours"][number]>[] => [
    { title: utc(m.fleet_hour()), value: ({ at }) => toInstant(at) },
    { title: m.fleet_captures(), value: ({ captures }) => captures },
    { title: m.fleet_losses(), value: ({ losses }) => losses },
    { title: m.answer_ok(), value: ({ answers }) => answers },
    { title: m.plot_refusals(), value: ({ refusals }) => refusals },
    { title: m.fleet_errors(), value: ({ errors }) => errors },
    { title: m.plot_usual(), value: ({ usual }) => usual?.captures ?? null },
  ],
  feedback: (): CsvColumn<OperatorFeedback["weeks"][number]>[] => [
    { title: utc(m.feedback_week()), value: ({ at }) => toInstant(at) },
    { title: m.feedback_answers(), value: ({ answers }) => answers },
    { title: m.feedback_average(), value: ({ average }) => average },
    { title: m.feedback_net(), value: ({ net }) => net },
    { title: m.feedback_skipped(), value: ({ skipped }) => skipped },
  ],
  comments: (): CsvColumn<OperatorFeedback["comments"][number]>[] => [
    { title: utc(m.when()), value: ({ at }) => toInstant(at) },
    { title: m.feedback_score(), value: ({ score }) => score },
    { title: m.comment(), value: ({ comment }) => comment },
    { title: m.driver(), value: ({ name, driverId }) => name ?? driverId },
    { title: m.phone(), value: ({ phone }) => phone },
  ],
  errors: (): CsvColumn<ErrorsResponse["errors"][number]>[] => [
    { title: "ID", value: ({ id }) => id },
    { title: m.error(), value: ({ name, message }) => (message ? `${name}: ${message}` : name) },
    { title: m.what(), value: ({ caller, place }) => [caller, place].filter(Boolean).join(", ") },
    { title: m.error_reports(), value: ({ reports }) => reports },
    { title: m.error_drivers(), value: ({ drivers }) => drivers },
    { title: utc(m.error_first()), value: ({ firstSeenAt }) => toInstant(firstSeenAt) },
    { title: utc(m.error_last()), value: ({ lastSeenAt }) => toInstant(lastSeenAt) },
    { title: m.error_versions(), value: ({ versions }) => versions.map(({ version }) => version).join(" ") },
    { title: m.status(), value: ({ status }) => ERROR_STATUS_LABELS[status]() },
  ],
  announcements: (): CsvColumn<OperatorAnnouncements["announcements"][number]>[] => [
    ...LANGUAGES.map((language) => ({
      title: LANGUAGE_FACTS[language].name,
      value: ({ text }: OperatorAnnouncements["announcements"][number]) => text[language],
    })),
    { title: m.announce_audience(), value: ({ audience }) => audienceLabel(audience) },
    { title: utc(m.from()), value: ({ startsAt }) => toInstant(startsAt) },
    { title: utc(m.until()), value: ({ endsAt }) => toInstant(endsAt) },
    { title: m.announce_told(), value: ({ told }) => told },
    { title: m.pushes_sent_title(), value: ({ pushes }) => pushes.sent },
    { title: m.pushes_failed_title(), value: ({ pushes }) => pushes.failed },
    { title: m.pushes_pending_title(), value: ({ pushes }) => pushes.pending },
  ],
  cities: (): CsvColumn<CitiesResponse["cities"][number]>[] => [
    { title: m.city(), value: ({ city }) => city },
    { title: m.spots(), value: ({ spots }) => spots ?? m.spots_no_limit() },
    { title: m.spots_taken(), value: ({ taken }) => taken },
    { title: m.spots_waiting(), value: ({ waiting }) => waiting },
    { title: m.spots_next(), value: ({ next }) => next?.name ?? null },
  ],
} as const;
