import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { findViolations } from "../support/accessibility.ts";
import {
  linkPlatformAccount,
  platformWorld,
  postJson,
  signIn,
  acceptOnPlatform,
} from "../support/sandbox-client.ts";
import { DriverClient } from "../support/driver-client.ts";
import { registerDriver } from "../support/drivers.ts";
import {
  publishOffer,
  createActiveDriver,
  openAs,
  openDashboard,
  openE2eHarness,
  advanceUntil,
  type ActiveDriver,
  type E2eHarness,
} from "./harness.ts";
import { looksOfRun } from "./looks.ts";

let harness: E2eHarness;
beforeAll(async () => {
  harness = await openE2eHarness();
});
afterAll(() => harness.close());

const outside = () => ({ fetch, origin: harness.app.origin });

beforeEach(async () => {
  await fetch(`${harness.app.origin}/sandbox/faults`, { method: "DELETE" });
});

type Place = { latitude: number; longitude: number; accuracy?: number };

async function stationOf({ warehouseIds }: Pick<ActiveDriver, "warehouseIds">): Promise<Place> {
  const { warehouses } = await platformWorld(outside());
  const station = warehouses.find(({ warehouseId }) => warehouseId === warehouseIds[0]);
  if (!station) throw new Error("the platform has no such warehouse");
  return { ...station.location, accuracy: 9 };
}

/** Sets the phone's position and grants the page access to it. */
async function stand(context: BrowserContext, place: Place): Promise<void> {
  await context.grantPermissions(["geolocation"], { origin: harness.app.origin });
  await context.setGeolocation(place);
}

/** A driver on the dashboard whose next block starts in this many minutes. */
async function beforeBlock(inMinutes = 20, look = {}) {
  const actor = await createActiveDriver(harness);
  const opened = await openDashboard(harness, actor, { clock: true, ...look });
  await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes });
  await opened.page.getByTestId("next-block").getByRole("button").first().waitFor();
  return { actor, ...opened };
}

/** A linked driver who is switched off, with a block accepted by hand. */
async function takenByHand(inMinutes: number) {
  await postJson(outside(), "/sandbox/world", { reset: true, generate: false, seed: 1 });
  const person = await registerDriver(harness.app);
  const client = new DriverClient({ ...outside(), token: await signIn(outside(), person) });
  await linkPlatformAccount({ ...outside(), client }, person.email);
  const warehouseIds = (await client.warehouses()).warehouses.map(({ warehouseId }) => warehouseId);
  await acceptOnPlatform(outside(), person.email, { warehouseId: warehouseIds[0]!, inMinutes });
  return { person, client, station: await stationOf({ warehouseIds }) };
}

const frameOf = (page: Page) => page.frameLocator("iframe");
/** A position this many meters to the north. */
const north = (place: Place, meters: number) => ({ ...place, latitude: place.latitude + meters / 111_195 });

describe("checking in to a block", () => {
  it("happens automatically inside the geofence, and shows up on the dashboard", async () => {
    const { actor, page, context, errors } = await beforeBlock();
    await stand(context, await stationOf(actor));
    await page.getByRole("button", { name: "I've arrived" }).click();
    await frameOf(page).getByText("You're checked in").waitFor();
    expect(await page.locator("iframe").getAttribute("sandbox")).toContain("allow-scripts");
    await page.getByRole("button", { name: "Close" }).click();
    await page
      .getByTestId("next-block")
      .getByText(/Checked in \d/)
      .waitFor();
    expect(errors).toEqual([]);
    await context.close();
  });

  it("shows the distance outside the geofence, and happens when the driver enters it", async () => {
    const { actor, page, context } = await beforeBlock();
    const station = await stationOf(actor);
    await stand(context, north(station, 2_000));
    await page.getByRole("button", { name: "I've arrived" }).click();
    await frameOf(page).getByText("1.2 mi to the warehouse").waitFor();
    await context.setGeolocation(north(station, 20));
    await frameOf(page).getByText("You're checked in").waitFor();
    await context.close();
  });

  it("waits while the position is too inaccurate", async () => {
    const { actor, page, context } = await beforeBlock();
    const station = await stationOf(actor);
    await stand(context, { ...station, accuracy: 800 });
    await page.getByRole("button", { name: "I've arrived" }).click();
    await frameOf(page).getByText("Your location isn't exact enough").waitFor();
    await context.setGeolocation(station);
    await frameOf(page).getByText("You're checked in").waitFor();
    await context.close();
  });

  it("explains what to do if location access is blocked", async () => {
    const { page, context } = await beforeBlock();
    await page.getByRole("button", { name: "I've arrived" }).click();
    await frameOf(page).getByText("Your location is blocked").waitFor();
    await frameOf(page).getByRole("button", { name: "Try again" }).waitFor();
    await context.close();
  });

  it("with instant=1 tries once, shows the distance, and tries again on request", async () => {
    const { actor, page, context } = await beforeBlock();
    const station = await stationOf(actor);
    await stand(context, north(station, 1_000));
    await page.getByRole("button", { name: "Try once now" }).click();
    const frame = frameOf(page);
    await frame.getByText("Move closer and try again.").waitFor();
    await context.setGeolocation(station);
    await advanceUntil(page, () => frame.getByText("You can check in now.").isVisible());
    await frame.getByRole("button", { name: "Try once now" }).click();
    await frame.getByText("You're checked in").waitFor();
    await context.close();
  });

  it("shows when it opens", async () => {
    const { actor, page, context } = await beforeBlock(50);
    await stand(context, await stationOf(actor));
    await page.getByRole("button", { name: "I've arrived" }).click();
    await frameOf(page).getByText("Check-in opens").waitFor();
    await context.close();
  });

  it("retries automatically if the platform doesn't respond", async () => {
    const { actor, page, context } = await beforeBlock();
    await postJson(outside(), "/sandbox/faults", { operation: "checkIn", fault: "503", times: 1 });
    await stand(context, await stationOf(actor));
    await page.getByRole("button", { name: "I've arrived" }).click();
    await frameOf(page).getByText("We couldn't check you in").waitFor();
    await advanceUntil(page, () => frameOf(page).getByText("You're checked in").isVisible());
    await context.close();
  });
});

describe("the arrived page outside its frame", () => {
  it("removes the token from its URL, and needs no session", async () => {
    const { person, client, station } = await takenByHand(10);
    const { token } = await client.fetchJson<{ token: string }>("GET", "/flex/v1/user/im-here/data");
    const context = await harness.browser.newContext({ locale: "en-US" });
    await stand(context, station);
    const page = await context.newPage();
    const leaks: string[] = [];
    page.on("request", (request) => {
      const said = `${request.url()} ${request.headers()["referer"] ?? ""}`;
      if (!request.isNavigationRequest() && said.includes(token)) leaks.push(said);
    });
    await page.goto(`${harness.app.origin}/arrived?token=${token}&instant=1`);
    await page.getByText("The platform knows you're here.").waitFor();
    expect(new URL(page.url()).search).toBe("?instant=1");
    expect(leaks).toEqual([]);
    expect(await page.locator("header").count()).toBe(0);
    await context.close();

    const phone = await openAs(harness, person, "/arrived");
    await phone.page.getByText("The platform already knew you were here.").waitFor();
    await phone.context.close();
  });

  it("says that a token has expired", async () => {
    const context = await harness.browser.newContext({ locale: "en-US" });
    const page = await context.newPage();
    await page.goto(`${harness.app.origin}/arrived?token=x.y.z`);
    await page.getByText("This page was open too long").waitFor();
    await context.close();
  });

  it("says if no block starts soon", async () => {
    const { page, context } = await openAs(harness, await createActiveDriver(harness), "/arrived");
    await page.getByText("No block to check in to").waitFor();
    await context.close();
  });

  it("says if check-in has closed", async () => {
    const { person, station } = await takenByHand(-20);
    const { page, context } = await openAs(harness, person, "/flex/dashboard");
    await stand(context, station);
    await page.goto(`${harness.app.origin}/arrived`);
    await page.getByText("Too late to check in").waitFor();
    await context.close();
  });
});

it("checks in from the confirmation screen to a block that starts soon", async () => {
  const actor = await createActiveDriver(harness);
  await publishOffer(harness, actor.warehouseIds[0]!, { inMinutes: 20 });
  const { page, context } = await openAs(harness, actor, "/flex/confirmation");
  await stand(context, await stationOf(actor));
  await page.getByRole("heading", { name: "Your account is linked" }).waitFor();
  await page.getByRole("button", { name: "Try once now" }).click();
  await frameOf(page).getByText("You're checked in").waitFor();
  await context.close();
});

describe("the platform's selfie", () => {
  it("opens in a frame on the dashboard, and capturing resumes once it is taken", async () => {
    const actor = await createActiveDriver(harness);
    await postJson(outside(), "/sandbox/world", { selfie: { origin: harness.app.origin } });
    const { drivers } = await platformWorld(outside());
    const { driverId } = drivers.find(({ email }) => email === actor.email)!;
    const { page, context } = await openDashboard(harness, actor);
    await postJson(outside(), `/sandbox/platform/drivers/${driverId}/verification`, { required: true });
    await page.getByRole("button", { name: "Verify on the platform" }).click();
    await frameOf(page).getByRole("button", { name: "Take the selfie" }).click();
    await frameOf(page).getByText("You are verified.").waitFor();
    const ownTab = page.getByRole("link", { name: "Open in a new tab" });
    expect(await ownTab.getAttribute("href")).toContain(`${harness.app.origin}/selfie?`);
    await context.close();
  });

  it("opens in its own tab if it can't be framed", async () => {
    const actor = await createActiveDriver(harness);
    await postJson(outside(), "/sandbox/world", { selfie: { origin: "http://elsewhere.example" } });
    const { drivers } = await platformWorld(outside());
    const { driverId } = drivers.find(({ email }) => email === actor.email)!;
    const { page, context } = await openDashboard(harness, actor);
    await postJson(outside(), `/sandbox/platform/drivers/${driverId}/verification`, { required: true });
    await page.getByRole("button", { name: "Verify on the platform" }).click();
    await page.getByText("We can't show this page here.").waitFor();
    await context.close();
  });
});

it("stands with its block on the linking page of a driver who is linked, and with none that is hours away", async () => {
  const { actor, page, context } = await beforeBlock(20);
  await page.goto(`${harness.app.origin}/flex/login`);
  const block = page.getByTestId("pending-block");
  await block.getByRole("button", { name: "I've arrived" }).waitFor();
  const { warehouses } = await actor.client.warehouses();
  expect(await block.innerText()).toContain(warehouses[0]?.name);
  await context.close();

  const later = await beforeBlock(180);
  await later.page.goto(`${harness.app.origin}/flex/login`);
  await later.page.getByRole("heading", { name: "Your account is linked" }).waitFor();
  expect(await later.page.getByTestId("pending-block").count()).toBe(0);
  await later.context.close();
});

it("allows only our own pages to frame the arrived page, and nobody to frame the others", async () => {
  const policyOf = async (path: string) =>
    (await fetch(`${harness.app.origin}${path}`)).headers.get("content-security-policy") ?? "";
  expect(await policyOf("/arrived")).toContain("frame-ancestors 'self'");
  for (const path of ["/", "/flex/dashboard", "/login"]) {
    expect(await policyOf(path)).toContain("frame-ancestors 'none'");
    expect(await policyOf(path)).toMatch(/frame-src 'self'[^;]* http:\/\/platform\.localhost/);
  }
});

it.each(
  looksOfRun([
    ["phone, light, English", { colorScheme: "light", locale: "en-US" }],
    ["phone, dark, Portuguese", { colorScheme: "dark", locale: "pt-BR" }],
    [
      "desk, light, Spanish",
      { colorScheme: "light", locale: "es-MX", viewport: { width: 1280, height: 900 } },
    ],
  ] as const),
)("check-in has no axe violations: %s", async (_name, look) => {
  const { actor, page, context } = await beforeBlock(20, look);
  const faults: string[] = [];
  const search = async () => {
    faults.push(...(await findViolations(page)));
  };
  const station = await stationOf(actor);
  await stand(context, north(station, 3_000));
  await page.getByTestId("next-block").getByRole("button").first().click();
  await frameOf(page).locator("[data-status=outside]").waitFor();
  await search();
  await context.setGeolocation(station);
  await frameOf(page).locator("[data-status=done]").waitFor();
  await search();
  expect(faults).toEqual([]);
  await context.close();
});
