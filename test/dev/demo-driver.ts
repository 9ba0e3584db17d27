import { DriverClient } from "../support/driver-client.ts";
import { easyFilters, easyRule, link, signIn } from "../support/demo.ts";
import { DEMO_DRIVER } from "../support/settings.ts";

const MONTH_MS = 30 * 86_400_000;

/** The demo driver's rows: the record and a month of service. Run again, it changes nothing that is there. */
export function seedDemoDriver(now: number): string {
  const { driverId, phoneNumber, name } = DEMO_DRIVER;
  return `
INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, proxy_installed, revision, created_at)
VALUES ('${driverId}', '${phoneNumber}', '${name}', 'en', 'lucrative', 0, 0, 'jornada', 'America/New_York', 0, 1, ${now})
ON CONFLICT DO NOTHING;
INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES ('demo:1', '${driverId}', ${MONTH_MS}, ${now})
ON CONFLICT (source) DO UPDATE SET at = excluded.at;
`;
}

/** Links the demo driver, gives them rules and switches them on, through the API as any driver would. */
export async function startDemoDriver(origin: string): Promise<void> {
  const token = await signIn({ fetch, origin }, DEMO_DRIVER);
  const client = new DriverClient({ fetch, origin, token });
  const { step } = await client.setup();
  if (step !== "linked") await link({ fetch, origin, client }, DEMO_DRIVER.email);
  const { filters } = await client.filters();
  if (filters.warehouses.length === 0) await client.saveFilters(await demoFilters(client));
  const switched = await client.patchUser({ phoneNumber: DEMO_DRIVER.phoneNumber, userDisabled: 0 });
  if (!switched.ok) throw new Error(`the demo driver could not be switched on: ${await switched.text()}`);
}

/** Rules that let some offers through and not others, so that the feed shows both. */
async function demoFilters(client: DriverClient) {
  const { warehouses } = await client.warehouses();
  const rules = warehouses.map(({ warehouseId }, index) =>
    easyRule(warehouseId, {
      selected: index % 4 !== 3,
      minPriceCents: 4500,
      minHourlyCents: 2200,
      bufferMinutes: 30,
    }),
  );
  return easyFilters(rules);
}
