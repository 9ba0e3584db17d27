import type { Mode } from "../../db/shapes/work/filters.ts";
import { DriverClient } from "../support/driver-client.ts";
import { lastText, openUserPool, registerAccount, signInBySrp } from "../support/identity.ts";
import type { BuiltApp } from "../support/runtime/built-app.ts";
import {
  linkPlatformAccount,
  permissiveFilters,
  permissiveWarehouseFilter,
} from "../support/sandbox-client.ts";

const DAY_MS = 86_400_000;

/** A driver who is paid up, linked and on, made by the calls that a page makes. */
export async function startBenchDriver(
  app: BuiltApp,
  { sandboxUrl, index, mode = "masacre" }: { sandboxUrl: string; index: number; mode?: Mode },
): Promise<DriverClient> {
  const phoneNumber = `+1555${String(2_000_000 + index)}`;
  const account = { phoneNumber, password: "Jornada-1-bench", name: "Ana" };
  const pool = await openUserPool(app.origin);
  await registerAccount(pool, account, () => lastText(sandboxUrl, phoneNumber));
  const { idToken: token } = await signInBySrp(pool, account);
  const client = new DriverClient({ fetch, origin: app.origin, token });
  await client.sealed("PUT", "/flex/v1/user", { name: account.name, phoneNumber });
  await app.sql(
    `INSERT INTO service_credits (source, driver_id, duration_ms, at) SELECT 'bench:' || id, id, ?, ? FROM users WHERE phone_number = ?`,
    DAY_MS,
    Date.now(),
    phoneNumber,
  );
  await linkPlatformAccount({ fetch, origin: sandboxUrl, client }, `bench-${index}@example.com`);
  const { warehouses } = await client.warehouses();
  await client.saveFilters(
    permissiveFilters(warehouses.map(({ warehouseId }) => permissiveWarehouseFilter(warehouseId))),
  );
  await client.patchUser({ mode });
  await client.patchUser({ phoneNumber, userDisabled: 0 });
  return client;
}
