import type { D1Migration } from "cloudflare:test";
import type { Env as JornadaEnv } from "../../durable/runtime/env.ts";

declare global {
  namespace Cloudflare {
    interface Env extends JornadaEnv {
      SANDBOX: Fetcher;
      TEST_MIGRATIONS: D1Migration[];
      /** `whole`: all cells of the drift matrix instead of some. */
      DRIFT: string;
      /** Decides what a run draws. */
      SEED: string;
    }
  }
}
