import type { SandboxServer } from "../sandbox-server.ts";
import { DriverClient, parseResponse } from "../support/driver-client.ts";
import { lastText, openUserPool, registerAccount, signInBySrp } from "../support/identity.ts";
import {
  linkPlatformAccount,
  permissiveFilters,
  permissiveWarehouseFilter,
  postJson,
} from "../support/sandbox-client.ts";
import type { PrepareResponse } from "../../worker/contract/money/payments.ts";
import type { Product } from "./product.ts";
import { pause } from "./product.ts";

export const PHONE = "+15550100123";
const PASSWORD = "Jornada-1-test";
const EMAIL = "crash@example.com";

/** A driver who is paid up, linked and on in turbo mode, and the warehouse that they selected. */
export async function switchOnDriver(
  product: Product,
  sandbox: SandboxServer,
): Promise<{ client: DriverClient; warehouseId: string; password: string }> {
  const { origin } = product;
  const outside = { fetch, origin: sandbox.url };
  // First of all: a reset forgets payments, too.
  await postJson(outside, "/sandbox/world", {
    reset: true,
    generate: false,
    weeklyLimitMinutes: 10_000_000,
    quotas: { limit: 100_000, windowSeconds: 60 },
  });
  const pool = await openUserPool(origin);
  await registerAccount(pool, { phoneNumber: PHONE, password: PASSWORD, name: "Ana" }, () =>
    lastText(sandbox.url, PHONE),
  );
  const { idToken: token } = await signInBySrp(pool, { phoneNumber: PHONE, password: PASSWORD });
  const client = new DriverClient({ fetch, origin, token });
  await parseResponse(
    await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber: PHONE }),
    "user",
  );

  await postJson(outside, "/sandbox/stripe/endpoint", {
    url: `${origin}/webhooks/stripe`,
    secret: "whsec_sandbox",
  });
  const input = { plan: "30days", points: 0, totalCents: 17_118, lastPaymentId: null };
  const prepared = await client.sealed("POST", "/flex/v1/payments/prepare", input);
  const { clientSecret } = await parseResponse<PrepareResponse>(prepared, "prepare");
  await postJson(outside, `/sandbox/stripe/intents/${clientSecret?.split("_secret_")[0]}/pay`, {});
  await pause(2_000);

  await linkPlatformAccount({ ...outside, client }, EMAIL);
  const { warehouses } = await client.warehouses();
  const [warehouse] = warehouses;
  if (!warehouse) throw new Error("the sandbox lists no warehouse");
  await client.saveFilters(permissiveFilters([permissiveWarehouseFilter(warehouse.warehouseId)]));
  await parseResponse(await client.patchUser({ mode: "masacre" }), "mode");
  await parseResponse(await client.patchUser({ phoneNumber: PHONE, userDisabled: 0 }), "switch");
  return { client, warehouseId: warehouse.warehouseId, password: PASSWORD };
}
