import { env } from "cloudflare:test";
import { openDb } from "../../db/client.ts";
import { addPoolUser } from "../../db/queries/identity/pool-users.ts";
import type { ActResponse, ActsResponse } from "../../worker/contract/console/operators.ts";
import type { DeploymentAct, DriverAct } from "../../worker/contract/console/operator-acts.ts";
import type {
  DriverPage,
  DriverSearchResponse,
  FoundDriver,
} from "../../worker/contract/console/operator-drivers.ts";
import { parseResponse } from "../support/driver-client.ts";
import { poolUser } from "../support/pool-user.ts";
import { postJson } from "../support/sandbox-client.ts";
import { apiTarget, type TestDriver } from "./harness.ts";

/** An act on the whole deployment. */
export function actOnAll(client: OperatorClient, body: DeploymentAct, key: string = crypto.randomUUID()) {
  return client.call("POST", "/acts", { body, key });
}

type Target = typeof apiTarget;
export const OWNER = "owner@example.com";
export const SUPPORT = "support@example.com";

/** A token of Access, of the sandbox's team. */
export async function accessToken(order: Record<string, unknown>): Promise<string> {
  return (await postJson<{ token: string }>(apiTarget, "/sandbox/access/token", order)).token;
}

/** A caller of the console, whom Access lets in at the first call. */
export function operatorClient(email: string, { fetch, origin }: Target = apiTarget) {
  let token: Promise<string> | null = null;
  const call = async (method: string, path: string, { body, key }: { body?: unknown; key?: string } = {}) => {
    token ??= accessToken({ email });
    return fetch(`${origin}/ops/v1${path}`, {
      method,
      headers: {
        "cf-access-jwt-assertion": await token,
        ...(key === undefined ? {} : { "idempotency-key": key }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  };
  const act = (
    { driverId }: Pick<TestDriver, "driverId">,
    body: DriverAct,
    key: string = crypto.randomUUID(),
  ) => call("POST", `/drivers/${driverId}/acts`, { body, key });
  return {
    call,
    act,
    /** The one driver whom a search finds. */
    async find(typed: string): Promise<FoundDriver> {
      const response = await call("GET", `/drivers?q=${encodeURIComponent(typed)}`);
      const { drivers } = await parseResponse<DriverSearchResponse>(response, "search");
      if (!drivers[0] || drivers.length > 1) throw new Error(`${drivers.length} drivers for ${typed}`);
      return drivers[0];
    },
    /** An act that must succeed. */
    async do(driver: Pick<TestDriver, "driverId">, body: DriverAct, key?: string): Promise<ActResponse> {
      return parseResponse(await act(driver, body, key), body.act);
    },
    async page({ driverId }: Pick<TestDriver, "driverId">): Promise<DriverPage> {
      return parseResponse(await call("GET", `/drivers/${driverId}`), "page");
    },
    async log({ driverId }: Pick<TestDriver, "driverId">): Promise<ActsResponse["acts"]> {
      const page = await parseResponse<ActsResponse>(await call("GET", `/acts?driver=${driverId}`), "log");
      return page.acts;
    },
  };
}

export type OperatorClient = ReturnType<typeof operatorClient>;

export const owner = operatorClient(OWNER);
export const support = operatorClient(SUPPORT);

/** An account in the embedded pool for a driver that another pool signed in. */
export async function addAccount({ driverId, phoneNumber }: TestDriver): Promise<void> {
  await addPoolUser(openDb(env.DB), poolUser({ id: driverId, phoneNumber, password: "v1.test.a.b" }));
}
