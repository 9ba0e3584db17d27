import * as z from "zod/mini";
import type { ApiRoute } from "../api-route.ts";
import { plansResponse, pricedPlan } from "./payments.ts";

/** GET /status/plans: the plans as anybody can buy them now, a minute old at most. */
export const publicPlansResponse = z.object({
  currency: z.string(),
  /** With sales for everybody. */
  plans: z.array(
    z.pick(pricedPlan, {
      plan: true,
      days: true,
      priceCents: true,
      discount: true,
      payCents: true,
      perDayCents: true,
    }),
  ),
  /** The raffle that a full payment of its plan enters now; null if there is none. */
  raffle: plansResponse.shape.raffle,
});
export type PublicPlansResponse = z.infer<typeof publicPlansResponse>;

/** The plan with the least price of a day. */
export function leastPerDay(
  plans: PublicPlansResponse["plans"],
): PublicPlansResponse["plans"][number] | undefined {
  return plans.toSorted((one, other) => one.perDayCents - other.perDayCents)[0];
}

/** The plans, for visitors. */
export const PUBLIC_PLAN_ROUTES = {
  "GET /status/plans": {
    summary: "The plans at their prices now, with the sales that are for everybody and the present raffle.",
    auth: "none",
    responses: { 200: publicPlansResponse },
    errors: [],
  },
} as const satisfies Record<string, ApiRoute>;
