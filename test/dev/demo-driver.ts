import { DriverClient } from "../support/driver-client.ts";
import {
  permissiveFilters,
  permissiveWarehouseFilter,
  linkPlatformAccount,
} from "../support/sandbox-client.ts";
import { lastText, openUserPool, registerAccount, signInBySrp } from "../support/identity.ts";
import { DEMO_DRIVER } from "../support/settings.ts";

const MONTH_MS = 30 * 86_400_000;

/**
 * Gives the demo driver a month of service when their record is created: the user pool assigns their id, so it
 * isn't known before.
 */
export function demoService(now: number): string {
  const values = (id: string) => `VALUES ('demo:1', ${id}, ${MONTH_MS}, ${now})`;
  return `
DROP TRIGGER IF EXISTS demo_service;
CREATE TRIGGER demo_service AFTER INSERT ON users WHEN NEW.phone_number = '${DEMO_DRIVER.phoneNumber}'
BEGIN
  INSERT INTO service_credits (source, driver_id, duration_ms, at) ${values("NEW.id")};
END;
UPDATE service_credits SET at = ${now} WHERE source = 'demo:1';
UPDATE users SET revision = revision + 1 WHERE phone_number = '${DEMO_DRIVER.phoneNumber}';
`;
}

/** Registers the demo driver, links them, saves filters and switches them on, through the same API as any driver. */
export async function startDemoDriver(origin: string): Promise<void> {
  const client = new DriverClient({ fetch, origin, token: await signInDemoDriver(origin) });
  const { phoneNumber, name, email } = DEMO_DRIVER;
  const made = await client.sealed("PUT", "/flex/v1/user", { name, phoneNumber });
  if (!made.ok) throw new Error(`creating the record failed: ${await made.text()}`);
  const { step } = await client.setup();
  if (step !== "linked") await linkPlatformAccount({ fetch, origin, client }, email);
  const { filters } = await client.filters();
  if (filters.warehouses.length === 0) await client.saveFilters(await demoFilters(client));
  const switched = await client.patchUser({ phoneNumber, userDisabled: 0 });
  if (!switched.ok) throw new Error(`switching on failed: ${await switched.text()}`);
}

async function signInDemoDriver(origin: string): Promise<string> {
  const pool = await openUserPool(origin);
  try {
    return (await signInBySrp(pool, DEMO_DRIVER)).idToken;
  } catch {
    await registerAccount(pool, DEMO_DRIVER, () => lastText(origin, DEMO_DRIVER.phoneNumber));
    return (await signInBySrp(pool, DEMO_DRIVER)).idToken;
  }
}

/** Filters that some offers pass and others don't, so that the feed shows both. */
async function demoFilters(client: DriverClient) {
  const { warehouses } = await client.warehouses();
  const warehouseFilters = warehouses.map(({ warehouseId }, index) =>
    permissiveWarehouseFilter(warehouseId, {
      selected: index % 4 !== 3,
      minPriceCents: 4500,
      minHourlyCents: 2200,
      bufferMinutes: 30,
    }),
  );
  return permissiveFilters(warehouseFilters);
}
