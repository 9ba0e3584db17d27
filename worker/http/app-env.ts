import type { JWTVerifyGetKey } from "jose";
import type { DriverId } from "../../db/shapes/units.ts";
import type { Db } from "../../db/client.ts";
import type { Deps } from "../../durable/deps.ts";
import type { Env } from "../../durable/runtime/env.ts";
import type { ErrorCode } from "../contract/error-response.ts";
import type { UserPool } from "../identity/user-pool.ts";
import type { HealthState } from "./health.ts";
import type { ShortToken } from "./short-token.ts";

/** Who calls, as what the gate verified says. */
export type Caller = { driverId: DriverId; phoneNumber: string | null };

/** What every handler finds in its context. `caller` stands only behind the gate. */
export type AppEnv = {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** What the request has cost so far. */
    usage: { statements: number };
    /** Why it failed, where it did. */
    errorCode: ErrorCode;
    deps: Deps;
    /** The embedded user pool; null where another pool signs drivers in. */
    userPool: UserPool | null;
    /** The keys that id tokens are verified with. */
    tokenKeys: JWTVerifyGetKey;
    /** What doesn't work as it should. */
    health: () => Promise<HealthState>;
    /** D1 through a session: reads near the caller, and their own writes seen. */
    db: Db;
    caller: Caller;
    /** What opened the gate to a live connection. */
    liveTicket: ShortToken;
  };
};
