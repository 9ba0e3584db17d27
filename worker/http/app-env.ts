import type { DriverId } from "../../db/shapes/units.ts";
import type { Db } from "../../db/client.ts";
import type { Deps } from "../../durable/deps.ts";
import type { Env } from "../../durable/runtime/env.ts";

/** Who calls, as the verified id token says. */
export type Caller = { driverId: DriverId; phoneNumber: string | null };

/** What every handler finds in its context. `caller` stands only behind the gate. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    deps: Deps;
    /** D1 through a session: reads near the caller, and their own writes seen. */
    db: Db;
    caller: Caller;
  };
};
