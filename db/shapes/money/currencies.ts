import type { Cents } from "../units.ts";

/**
 * The currencies that money is taken in: those with hundredths, with the least that Stripe charges in each. Where the
 * account settles in another currency, Stripe converts and compares there, so the least can be a little higher. From
 * docs.stripe.com/currencies, 'Minimum and maximum charge amounts', compared on 2026-11-22 with a published copy of that
 * table, in which THB is missing.
 */
export const MIN_CHARGE_CENTS = {
  AED: 200,
  AUD: 50,
  BRL: 50,
  CAD: 50,
  CHF: 50,
  CZK: 1500,
  DKK: 250,
  EUR: 50,
  GBP: 30,
  HKD: 400,
  INR: 50,
  MXN: 1000,
  MYR: 200,
  NOK: 300,
  NZD: 50,
  PLN: 200,
  RON: 200,
  SEK: 300,
  SGD: 50,
  THB: 1000,
  USD: 50,
} as const satisfies Record<string, Cents>;

export type Currency = keyof typeof MIN_CHARGE_CENTS;

export function isSupportedCurrency(code: string): code is Currency {
  return Object.hasOwn(MIN_CHARGE_CENTS, code);
}
