import type { DriverRpc } from "./driver-rpc.ts";

/** Bindings, and settings as unparsed strings. */
export type Env = {
  DB: D1Database;
  DRIVER: DurableObjectNamespace<DriverRpc>;
  ASSETS: Fetcher;
  /** Bound only in development and tests: replaces every outside service. */
  SANDBOX?: Fetcher;
  /** Rate limits per address: calls of the user pool, and those of them that send a text. No limit if unbound. */
  IDENTITY_LIMIT?: RateLimit;
  TEXT_LIMIT?: RateLimit;
  /** The same for calls about payments. */
  PAYMENT_LIMIT?: RateLimit;
} & { [setting: string]: unknown };
