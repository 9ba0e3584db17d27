import { afterAll, beforeAll, expect, it } from "vitest";
import { platformWorld, postJson } from "../support/sandbox-client.ts";
import { registerDriver } from "../support/drivers.ts";
import { advanceUntil, publishOffer, openAs, openE2eHarness, type E2eHarness } from "./harness.ts";

const WEEK_MS = 7 * 86_400_000;

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

it("takes a driver through a first day: link, filters, on, a capture, check-in, earnings", async () => {
  const outside = { fetch, origin: harness.app.origin };
  await postJson(outside, "/sandbox/world", { reset: true, generate: false, seed: 1 });
  const person = await registerDriver(harness.app);
  const { page, context, errors } = await openAs(harness, person, "/flex", { clock: true });

  await page.waitForURL("**/flex/login");
  await page.getByLabel("Email on the platform").fill(person.email);
  await page.getByLabel("Password on the platform", { exact: true }).fill("right");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/flex/otp");
  const { sessions } = await platformWorld(outside);
  const session = sessions.find(({ email }) => email === person.email);
  await page.getByLabel("One-time code").fill(session?.code ?? "");
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.waitForURL("**/flex/confirmation");
  await page.getByText("Waiting for your approval").waitFor();
  await postJson(outside, `/sandbox/platform/sessions/${session?.id}/approve`, {});

  await advanceUntil(page, () => new URL(page.url()).pathname === "/flex/filters");
  const { drivers, warehouses } = await platformWorld(outside);
  await postJson(outside, "/sandbox/platform/blocks", {
    driverId: drivers.find(({ email }) => email === person.email)?.driverId,
    warehouseId: warehouses[0]?.warehouseId,
    startsAt: new Date(Date.now() - WEEK_MS).toISOString(),
    minutes: 120,
    payCents: 7_650,
  });
  const card = page
    .getByTestId("warehouse-card")
    .filter({ has: page.getByRole("heading", { name: "Maspeth (DBK1)" }) });
  await card.getByRole("switch").click();
  await card.getByRole("button", { name: "Edit filters" }).click();
  await page.getByLabel("Minimum notice (minutes)").fill("0");
  await page.getByRole("button", { name: "All day" }).click();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("Saved", { exact: true }).waitFor();

  await page.getByRole("navigation", { name: "Main menu" }).getByRole("link", { name: "Home" }).click();
  await page.getByTestId("system-switch").click();
  await page.getByText("Looking for blocks").first().waitFor();
  const maspeth = warehouses.find(({ name }) => name === "Maspeth (DBK1)");
  if (!maspeth) throw new Error("the platform has no such warehouse");
  await publishOffer(harness, maspeth.warehouseId, { inMinutes: 20, payCents: 9_450 });
  const next = page.getByTestId("next-block");
  await next.getByText("$94.50").first().waitFor();

  await context.grantPermissions(["geolocation"], { origin: harness.app.origin });
  await context.setGeolocation({ ...maspeth.location, accuracy: 8 });
  await next.getByRole("button", { name: "I've arrived" }).click();
  await page.frameLocator("iframe").getByText("You're checked in").waitFor();
  await page.getByRole("button", { name: "Close" }).click();
  await next.getByText(/Checked in \d/).waitFor();
  await page.getByTestId("earnings").getByRole("definition").filter({ hasText: "$76.50" }).waitFor();
  expect(errors).toEqual([]);
  await context.close();
});
