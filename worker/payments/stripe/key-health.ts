import type { Config } from "../../../durable/runtime/config.ts";
import { type EpochMs, MINUTE_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import type { Deps } from "../../../durable/deps.ts";
import type { CardProcessor } from "./card-processor.ts";
import { CardProcessorError } from "./responses.ts";
import { hasUnservedPayment } from "../../../db/queries/payments/alerts.ts";
import { loadAlerts } from "../../../db/queries/fleet/alerts.ts";
import { perMinute } from "../../../durable/per-minute.ts";

/**
 * When Stripe last refused the secret key of these settings. For as long as the isolate lives: another one finds out
 * for itself, by its first call.
 */
const refusedAt = new WeakMap<Config, EpochMs>();

export function noteRefusedKey(config: Config, now: EpochMs): void {
  refusedAt.set(config, now);
}

export function keyRefusedAt(config: Config): EpochMs | null {
  return refusedAt.get(config) ?? null;
}

export function forgetRefusedKey(config: Config): void {
  refusedAt.delete(config);
}

/** A key that works is checked again after so long, one that was refused sooner. */
const RECHECK_MS = 60 * MINUTE_MS;
const RECHECK_REFUSED_MS = MINUTE_MS;

/**
 * The last check of each isolate's settings; lost with the isolate, which costs one call. Values only: a promise
 * belongs to its request.
 */
const checks = new WeakMap<Config, { at: EpochMs; isReady: boolean }>();

/**
 * Whether cards can be charged: keys are set, and Stripe takes the secret one. While Stripe can't be reached they count
 * as ready, since nothing is known against them.
 */
export async function areCardsReady({
  cards,
  deps,
}: {
  cards: CardProcessor | null;
  deps: Pick<Deps, "config" | "now">;
}): Promise<boolean> {
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

/**
 * Whether an operator must look at payments: money is there without service, an alert stands, or Stripe refused our key within
 * the hour. A fraud warning stands for as long as the payment is kept, which may be for good.
 */
export const arePaymentsDegraded = perMinute(async ({ config, db, now }) => {
  const refusedAt = keyRefusedAt(config);
  if (refusedAt !== null && now() - refusedAt < HOUR_MS) return true;
  const [isUnserved, alerts] = await Promise.all([hasUnservedPayment(db), loadAlerts(db, now())]);
  return isUnserved || alerts.some(({ name }) => name.startsWith("payments."));
}, false);
