import type { Config } from "../../durable/runtime/config.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { CheckoutContext } from "./checkout.ts";
import { keyRefusedAt } from "./refused-keys.ts";
import { CardProcessorError } from "./stripe-responses.ts";

/** A key that works is checked again after so long, one that was refused sooner. */
const RECHECK_MS = 60 * MINUTE_MS;
const RECHECK_REFUSED_MS = MINUTE_MS;

/** The last check of each isolate's settings; lost with the isolate, which costs one call. */
const checks = new WeakMap<Config, { at: EpochMs; result: Promise<boolean> }>();

/**
 * Whether cards can be charged: keys are set, and Stripe takes the secret one. While Stripe can't be reached they count
 * as ready, since nothing is known against them.
 */
export async function areCardsReady({ cards, deps }: CheckoutContext): Promise<boolean> {
  if (!cards) return false;
  const { config, now } = deps;
  const check = async () => {
    try {
      await cards.checkKey();
      return true;
    } catch (error) {
      return !(error instanceof CardProcessorError && error.isUnauthorized);
    }
  };
  const known = checks.get(config);
  const refusedAt = keyRefusedAt(config);
  const isRefused = refusedAt !== null && (!known || refusedAt >= known.at);
  const lastAt = isRefused ? refusedAt : known?.at;
  const isFresh = lastAt !== undefined && now() - lastAt < (isRefused ? RECHECK_REFUSED_MS : RECHECK_MS);
  if (isFresh && isRefused) return false;
  if (isFresh && known) return known.result;
  const next = { at: now(), result: check() };
  checks.set(config, next);
  return next.result;
}
