import type { Config } from "../../../durable/runtime/config.ts";
import type { EpochMs } from "../../../db/shapes/units.ts";

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
