import type { DriverRpc } from "./driver-rpc.ts";

/** Bindings, and settings as unparsed strings. */
export type Env = {
  DB: D1Database;
  DRIVER: DurableObjectNamespace<DriverRpc>;
  ASSETS: Fetcher;
  /** Bound only in development and tests: replaces every outside service. */
  SANDBOX?: Fetcher;
  /** Rate limit of calls of the user pool, per address. No limit if unbound; texts have exact ones of their own. */
  IDENTITY_LIMIT?: RateLimit;
  /** The same for calls about payments. */
  PAYMENT_LIMIT?: RateLimit;
} & { [setting: string]: unknown };
