import * as z from "zod/mini";
import { plan, planForSale } from "../../../db/shapes/money/plans.ts";
import { cents, driverId, epochMs } from "../../../db/shapes/units.ts";
import { newListPrice } from "./operator-acts.ts";
import { raffle } from "../money/raffles.ts";

const typedNumber = z.pipe(z.string().check(z.regex(/^\d{1,16}$/)), z.transform(Number));

/** GET /ops/v1/prices/preview?plan=&priceCents=&startsAt=: the same, as a question. Without `startsAt`, at once. */
export const listPricePreviewParams = z.object({
  plan: planForSale,
  priceCents: z.pipe(typedNumber, newListPrice.shape.priceCents),
  startsAt: z._default(z.nullable(z.pipe(typedNumber, epochMs)), null),
});

/** The prices of the plan for a driver without a special price, each with its start, the first step being now. */
export const pricePreview = z.object({
  steps: z.array(z.object({ at: epochMs, listCents: cents, payCents: cents })),
});
export type ListPricePreview = z.infer<typeof pricePreview>;

/** GET /ops/v1/prices: each plan's list price, those that follow, and the sales that hold or will. */
export const pricesResponse = z.object({
  prices: z.array(z.object({ plan: planForSale, priceCents: cents })),
  ahead: z.array(z.object({ plan: planForSale, priceCents: cents, startsAt: epochMs })),
  sales: z.array(z.object({ id: z.string(), plan, priceCents: cents, startsAt: epochMs, endsAt: epochMs })),
});
export type PricesResponse = z.infer<typeof pricesResponse>;

/** GET /ops/v1/raffles: those that end last, first. */
export const raffleListResponse = z.object({
  raffles: z.array(
    z.extend(z.omit(raffle, { draw: true }), {
      /** `over`: it can be drawn, with a beacon once its entries are closed and the round has come. */
      status: z.enum(["ahead", "running", "over", "drawn"]),
      /** Over, and never to be drawn: its drivers got points instead. */
      isCompensated: z._default(z.boolean(), false),
      /** For owners, until it is drawn; null where the operator keeps the seed. */
      sealedSeed: z.nullable(z.string()),
    }),
  ),
  /** Whether there are more than these. */
  hasMore: z._default(z.boolean(), false),
});
export type RaffleListResponse = z.infer<typeof raffleListResponse>;

/** GET /ops/v1/cities: each city that has drivers or a limit. `next`: the driver who gets the next free spot. */
export const citiesResponse = z.object({
  cities: z.array(
    z.object({
      city: z.string(),
      /** Null for no limit. */
      spots: z.nullable(z.int()),
      taken: z.int(),
      waiting: z.int(),
      next: z.nullable(z.object({ id: driverId, name: z.string(), since: epochMs })),
    }),
  ),
});
export type CitiesResponse = z.infer<typeof citiesResponse>;
