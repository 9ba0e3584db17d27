import type { DriverRpc } from "./driver-rpc.ts";

/** What the runtime binds, and the settings as it hands them over: strings. */
export type Env = {
  DB: D1Database;
  DRIVER: DurableObjectNamespace<DriverRpc>;
  ASSETS: Fetcher;
  /** Bound in development and tests only: stands in for every program outside. */
  SANDBOX?: Fetcher;
  /** Calls of the user pool from one address, and those of them that send a text; unbound, there is no limit. */
  IDENTITY_LIMIT?: RateLimit;
  TEXT_LIMIT?: RateLimit;
} & { [setting: string]: unknown };
