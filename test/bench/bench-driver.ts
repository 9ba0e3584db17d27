import type { Mode } from "../../db/shapes/work/filters.ts";
import { DriverClient } from "../support/driver-client.ts";
import { lastText, registerBySession } from "../support/identity.ts";
import type { BuiltApp } from "../support/runtime/built-app.ts";
import {
  linkPlatformAccount,
  permissiveFilters,
  permissiveWarehouseFilter,
} from "../support/sandbox-client.ts";

const DAY_MS = 86_400_000;

type BenchDriver = { sandboxUrl: string; index: number; mode?: Mode };

/** A driver who is paid up, linked and on, made by the calls that a page makes. */
export async function startBenchDriver(app: BuiltApp, driver: BenchDriver): Promise<DriverClient> {
  const { client, switchOn } = await prepareBenchDriver(app, driver);
  await switchOn();
  return client;
}

/** The same, who is not on yet. */
export async function prepareBenchDriver(
  app: BuiltApp,
  { sandboxUrl, index, mode = "masacre" }: BenchDriver,
): Promise<{ client: DriverClient; phoneNumber: string; switchOn: () => Promise<void> }> {
  const phoneNumber = `+1555${String(2_000_000 + index)}`;
  const account = { phoneNumber, password: "Jornada-1-bench", name: "Ana" };
  const token = await registerBySession(app.origin, account, () => lastText(sandboxUrl, phoneNumber));
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
  // A new driver's is the first of these.
  if (mode !== "lucrative") await client.patchUser({ mode });
  return {
    client,
    phoneNumber,
    switchOn: async () => void (await client.patchUser({ phoneNumber, userDisabled: 0 })),
  };
}
