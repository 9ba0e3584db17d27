import type { Config } from "../../durable/runtime/config.ts";
import { MINUTE_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { CheckoutContext } from "./checkout.ts";
import { forgetRefusedKey, keyRefusedAt } from "./stripe/refused-keys.ts";
import type { CardProcessor } from "./stripe/card-processor.ts";
import { CardProcessorError } from "./stripe/responses.ts";

/** A key that works is checked again after so long, one that was refused sooner. */
const RECHECK_MS = 60 * MINUTE_MS;
const RECHECK_REFUSED_MS = MINUTE_MS;

/** The last check of each isolate's settings; lost with the isolate, which costs one call. Values only: a promise belongs to its request. */
const checks = new WeakMap<Config, { at: EpochMs; isReady: boolean }>();

/**
 * Whether cards can be charged: keys are set, and Stripe takes the secret one. While Stripe can't be reached they count
 * as ready, since nothing is known against them.
 */
export async function areCardsReady({ cards, deps }: CheckoutContext): Promise<boolean> {
  if (!cards) return false;
  const { config, now } = deps;
  const at = now();
  const refusedAt = keyRefusedAt(config);
  if (refusedAt !== null && at - refusedAt < RECHECK_REFUSED_MS) return false;
  const known = checks.get(config);
  if (known?.isReady && at - known.at < RECHECK_MS && refusedAt === null) return true;
  const isReady = await isKeyTaken(cards, config);
  checks.set(config, { at, isReady });
  return isReady;
}

async function isKeyTaken(cards: CardProcessor, config: Config): Promise<boolean> {
  try {
    await cards.checkKey();
    forgetRefusedKey(config);
    return true;
  } catch (error) {
    return !(error instanceof CardProcessorError && error.isUnauthorized);
  }
}
