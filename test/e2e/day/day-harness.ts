import type { Page } from "playwright-core";
import { DriverClient } from "../../support/driver-client.ts";
import { registerDriver } from "../../support/drivers.ts";
import { linkPlatformAccount, postJson, signIn } from "../../support/sandbox-client.ts";
import type { ActiveDriver, E2eHarness } from "../harness.ts";

/** A linked driver without filters, and with service only if requested. */
export async function beginner(
  harness: E2eHarness,
  given: { serviceMs?: number } = {},
): Promise<ActiveDriver> {
  const outside = { fetch, origin: harness.app.origin };
  await postJson(outside, "/sandbox/world", { reset: true, generate: false, seed: 1 });
  const person = await registerDriver(harness.app, given);
  const client = new DriverClient({ ...outside, token: await signIn(outside, person) });
  await linkPlatformAccount({ ...outside, client }, person.email);
  const { warehouses } = await client.warehouses();
  return { ...person, client, warehouseIds: warehouses.map((warehouse) => warehouse.warehouseId) };
}

/** A warehouse on the filters screen. */
export const card = (page: Page, name: string) =>
  page.getByTestId("warehouse-card").filter({ has: page.getByRole("heading", { name }) });
