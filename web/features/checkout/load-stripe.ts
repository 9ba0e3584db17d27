import type { Stripe } from "@stripe/stripe-js";
import { loadStripe } from "@stripe/stripe-js/pure";

/** Loaded once a page, however often a form mounts. */
let stripePromise: Promise<Stripe | null> | null = null;

/** Stripe's library; a load that failed is tried again by the next call. */
export function loadStripeOnce(publishableKey: string): Promise<Stripe | null> {
  stripePromise ??= loadStripe(publishableKey).catch((error: unknown) => {
    stripePromise = null;
    throw error;
  });
  return stripePromise;
}
