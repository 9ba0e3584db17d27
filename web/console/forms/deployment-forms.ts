import type { PlanForSale } from "../../../db/shapes/money/plans.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";
import type { DeploymentAct, NewListPrice } from "../../../worker/contract/console/operator-acts.ts";
import { parseAmount, parseReason } from "./typed-values.ts";

export type SaleInput = { plan: PlanForSale; price: string; from: string; to: string; reason: string };
export type SaleIssues = Partial<Record<"price" | "from" | "to" | "reason", true>>;

/** The instant of a date and time as a browser's field has it, in the device's zone; null for what is none. */
export function parseLocalTime(typed: string): EpochMs | null {
  const at = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(typed) ? new Date(typed).getTime() : Number.NaN;
  return Number.isNaN(at) ? null : at;
}

/** The same the other way round, for the field's value. */
export function toLocalTime(at: EpochMs): string {
  const local = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return local.toISOString().slice(0, 16);
}

/** The sale that a form describes, or what is wrong with it. */
export function parseSale({
  plan,
  price,
  from,
  to,
  ...typed
}: SaleInput): { act: DeploymentAct } | { issues: SaleIssues } {
  const [priceCents, startsAt, endsAt] = [parseAmount(price), parseLocalTime(from), parseLocalTime(to)];
  const reason = parseReason(typed.reason);
  const issues: SaleIssues = {
    ...(priceCents === null && { price: true }),
    ...(startsAt === null && { from: true }),
    ...((endsAt === null || (startsAt !== null && endsAt <= startsAt)) && { to: true }),
    ...(reason === null && { reason: true }),
  };
  if (priceCents === null || startsAt === null || endsAt === null || reason === null || issues.to)
    return { issues };
  return { act: { act: "sale", plan, priceCents, startsAt, endsAt, reason } };
}

export type ListPriceInput = { plan: PlanForSale; price: string; from: string; reason: string };
export type ListPriceIssues = Partial<Record<"price" | "from" | "reason", true>>;

/** The price that is typed so far; null until it is one. Without a time it begins at once. */
export function parseNewPrice({ plan, price, from }: ListPriceInput): NewListPrice | null {
  const [priceCents, startsAt] = [parseAmount(price), parseLocalTime(from)];
  if (priceCents === null || (startsAt === null && from !== "")) return null;
  return { plan, priceCents, startsAt };
}

/** The list price that a form describes, or what is wrong with it. */
export function parseListPrice(input: ListPriceInput): { act: DeploymentAct } | { issues: ListPriceIssues } {
  const typed = parseNewPrice(input);
  const reason = parseReason(input.reason);
  const issues: ListPriceIssues = {
    ...(parseAmount(input.price) === null && { price: true }),
    ...(input.from !== "" && parseLocalTime(input.from) === null && { from: true }),
    ...(reason === null && { reason: true }),
  };
  if (typed === null || reason === null) return { issues };
  return { act: { act: "list_price", ...typed, reason } };
}

export type SpotsInput = { city: string; spots: string; reason: string };
export type SpotsIssues = Partial<Record<"spots" | "reason", true>>;

/** How many spots were typed; null for no limit, undefined for what is no number. */
export function parseSpots(typed: string): number | null | undefined {
  if (typed.trim() === "") return null;
  return /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : undefined;
}

/** The change of a city's spots that a form describes, or what is wrong with it. */
export function parseCitySpots({
  city,
  spots,
  ...typed
}: SpotsInput): { act: DeploymentAct } | { issues: SpotsIssues } {
  const [count, reason] = [parseSpots(spots), parseReason(typed.reason)];
  const issues: SpotsIssues = {
    ...(count === undefined && { spots: true }),
    ...(reason === null && { reason: true }),
  };
  if (count === undefined || reason === null) return { issues };
  return { act: { act: "city_spots", city, spots: count, reason } };
}
