import type { Config } from "./runtime/config.ts";
import type { Deps } from "./deps.ts";
import { describeError } from "./runtime/describe-error.ts";
import { MINUTE_MS, type EpochMs } from "../db/shapes/units.ts";

/**
 * A value that public pages read, loaded at most once a minute by an isolate, under the settings that it was loaded with. Where
 * loading fails, the last one is kept, else `fallback`: neither health nor the landing page may fail with D1.
 */
export function perMinute<Value>(
  load: (deps: Deps) => Promise<Value>,
  fallback: Value,
): (deps: Deps) => Promise<Value> {
  // Values only: a promise belongs to the request that made it.
  const cached = new WeakMap<Config, { at: EpochMs; value: Value }>();
  return async (deps) => {
    const known = cached.get(deps.config);
    if (known && deps.now() - known.at < MINUTE_MS) return known.value;
    try {
      const value = await load(deps);
      cached.set(deps.config, { at: deps.now(), value });
      return value;
    } catch (error) {
      deps.log("warn", "public.load.failed", describeError(error));
      return known?.value ?? fallback;
    }
  };
}
