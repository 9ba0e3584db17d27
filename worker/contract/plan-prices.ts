import type { Plan } from "./payments.ts";

/**
 * What each plan costs before any cut, points and fee, in cents of the deployment's currency, and how many days of
 * service it gives. The trial is given, never sold. The public pages show these; what is charged, the server reckons
 * from them.
 */
export const PLAN_PRICES = {
  "1day": { days: 1, cents: 0 },
  "3days": { days: 3, cents: 3_499 },
  "7days": { days: 7, cents: 4_987 },
  "14days": { days: 14, cents: 8_999 },
  "30days": { days: 30, cents: 16_999 },
} as const satisfies Record<Plan, { days: number; cents: number }>;
