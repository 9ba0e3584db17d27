import type { DriverRpc } from "./driver-rpc.ts";
import type { RestoreRecordRpc } from "./restore-record-rpc.ts";
import type { TickRpc, WatchRpc } from "./watch-rpc.ts";

/** Bindings, and settings as unparsed strings. */
export type Env = {
  DB: D1Database;
  DRIVER: DurableObjectNamespace<DriverRpc>;
  /** Outlives the database, for when it is restored. Without it nobody knows then who was deleted since. */
  RESTORE_RECORD?: DurableObjectNamespace<RestoreRecordRpc>;
  /** Wakes drivers' objects that lost their alarm. Without it nobody does. */
  WATCH?: DurableObjectNamespace<WatchRpc>;
  /** Calls drivers' objects for their polls, where the setting wants that. */
  TICK?: DurableObjectNamespace<TickRpc>;
  /** Takes announcements and renewals to whoever carries them out. Without it the cron does some of them each minute. */
  TASKS?: Queue;
  ASSETS: Fetcher;
  /** Metric points by minute and city. None are written where it is not bound. */
  METRICS?: AnalyticsEngineDataset;
  /** Bound only in development and tests: replaces every outside service. */
  SANDBOX?: Fetcher;
  /** Rate limit of calls of the user pool, per address. No limit if unbound; texts have exact ones of their own. */
  IDENTITY_LIMIT?: RateLimit;
  /** The same for calls about payments. */
  PAYMENT_LIMIT?: RateLimit;
} & { [setting: string]: unknown };
