import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerMessage } from "../../db/shapes/work/live.ts";
import type { User } from "../../worker/contract/account/user.ts";
import { parseTree } from "../claims/accessibility-tree.ts";
import { feed, type RealResponses } from "../claims/fed-page.ts";
import { measureOrder } from "../claims/in-page-order.ts";
import { judge } from "../claims/judge.ts";
import { readClaims, type Claim } from "../claims/read-claims.ts";
import { allCells, nameOf, type Cell } from "../claims/states.ts";
import { shuffle } from "../support/shuffle.ts";
import { settle } from "../matrix/in-page.ts";
import { acceptOnPlatform } from "../support/sandbox-client.ts";
import { gotoWith, sandboxSession } from "../support/stored-session.ts";
import { createActiveDriver, openE2eHarness, type ActiveDriver, type E2eHarness } from "./harness.ts";

/** `npm run contradictions` looks at every cell; every other run at as many as this time allows. */
const IS_WHOLE = process.env["CLAIMS"] === "whole";
const ONLY = new RegExp(process.env["CLAIMS_ONLY"] ?? "");
const PART_MS = 8_000;
const WHOLE_MS = 3_600_000;
const seed = Number(process.env["CLAIMS_SEED"] ?? Math.floor(Date.now() / 1_000));

const QUIET = { quietMs: 200, longestMs: 1_200 };
/** A screen on a busy machine may still be on its way to what it says. */
const LOOKS = 4;
const WIDTHS = [375, 768, 1_280];

type Session = Awaited<ReturnType<BrowserContext["storageState"]>>;

let harness: E2eHarness;
let driver: ActiveDriver;
let real: RealResponses;
let session: { cookies: Session["cookies"]; origins: Session["origins"] };
beforeAll(async () => {
  harness = await openE2eHarness();
  driver = await createActiveDriver(harness);
  const { origin } = harness.app;
  // One that they can check in to, and one of last week, which has earned.
  for (const inMinutes of [20, -7 * 24 * 60])
    await acceptOnPlatform({ fetch, origin }, driver.email, {
      warehouseId: driver.warehouseIds[0]!,
      inMinutes,
    });
  real = await fetchReal();
});
afterAll(() => harness.close());

/** The server's responses for the driver, who is on. */
async function fetchReal(): Promise<RealResponses> {
  const { app, browser } = harness;
  const context = await browser.newContext({ serviceWorkers: "block" });
  const page = await context.newPage();
  const held = Promise.withResolvers<RealResponses["snapshot"]>();
  await page.routeWebSocket(/\/flex\/v1\/live$/u, (socket) => {
    socket.connectToServer().onMessage((data) => {
      socket.send(data);
      if (typeof data !== "string" || !data.startsWith("{")) return;
      const message: ServerMessage = JSON.parse(data);
      if ("snapshot" in message && message.snapshot.held.length > 0) held.resolve(message.snapshot);
    });
  });
  await gotoWith(page, `${app.origin}/flex/dashboard`, await sandboxSession(app.origin, driver));
  const snapshot = await held.promise;
  const state = await context.storageState();
  // Not what the page remembers of the driver, which is of another state.
  const isOfSession = ({ name }: { name: string }) => name.startsWith("CognitoIdentityServiceProvider.");
  session = {
    cookies: state.cookies,
    origins: state.origins.map(({ origin, localStorage }) => ({
      origin,
      localStorage: localStorage.filter(isOfSession),
    })),
  };
  await context.close();
  const { Item: user } = await driver.client.fetchJson<{ Item: User }>("GET", "/flex/v1/user");
  const earnings = () =>
    driver.client.fetchJson<{ earnings: RealResponses["earnings"] }>("GET", "/flex/v1/user/earnings");
  const plans = await driver.client.fetchJson<Record<string, unknown>>("GET", "/flex/v1/plans");
  return { snapshot, user, earnings: (await earnings()).earnings, plans };
}

async function look(page: Page, isWholeWidth: boolean): Promise<{ claims: Claim[]; order: string[] }> {
  await page.evaluate(settle, QUIET);
  const claims = readClaims(parseTree(await page.locator("body").ariaSnapshot()));
  const light = await page
    .getByTestId("system-switch")
    .getAttribute("data-light", { timeout: 1 })
    .catch(() => null);
  if (light !== null) claims.push({ about: "light", says: light, line: "the switch" });
  const order: string[] = [];
  for (const width of isWholeWidth ? WIDTHS : WIDTHS.slice(0, 1)) {
    await page.setViewportSize({ width, height: 800 });
    const found = await page.evaluate(measureOrder);
    order.push(...found.map((problem) => `${width} px: ${problem}`));
  }
  return { claims, order };
}

async function visit(cell: Cell): Promise<string[]> {
  const context = await harness.browser.newContext({
    viewport: { width: WIDTHS[0]!, height: 800 },
    locale: "en-US",
    serviceWorkers: "block",
    reducedMotion: "reduce",
    storageState: session,
  });
  try {
    await context.grantPermissions(["geolocation"], { origin: harness.app.origin });
    // Far from any warehouse.
    await context.setGeolocation({ latitude: 10, longitude: 10, accuracy: 9 });
    const page = await context.newPage();
    const { cut } = await feed(page, context, real, cell);
    await page.goto(`${harness.app.origin}${cell.screen}`);
    await page.locator("h1").first().waitFor({ state: "attached" });
    await page.locator("[data-skeleton]").first().waitFor({ state: "detached" });
    if (cell.link === "offline") {
      await page.evaluate(settle, QUIET);
      await cut();
    }
    let problems: string[] = [];
    for (let tries = 0; tries < LOOKS; tries++) {
      const { claims, order } = await look(page, IS_WHOLE);
      problems = [...judge(claims, cell), ...order];
      if (problems.length === 0) return [];
    }
    return problems.map((problem) => `${nameOf(cell)}: ${problem}`);
  } catch (error) {
    // The run visits the other cells all the same.
    const reason = error instanceof Error ? error.message : String(error);
    return [`${nameOf(cell)}: can't be looked at: ${reason}`];
  } finally {
    await context.close();
  }
}

describe(`what the screens claim, seed ${seed}`, () => {
  it(
    "no screen contradicts the driver's object, itself, or the order in which it is seen",
    async () => {
      const cells = shuffle(allCells(), seed).filter((cell) => ONLY.test(nameOf(cell)));
      const until = Date.now() + (IS_WHOLE ? WHOLE_MS : PART_MS);
      const problems: string[] = [];
      let visits = 0;
      for (const cell of cells) {
        if (Date.now() > until) break;
        problems.push(...(await visit(cell)));
        visits++;
      }
      console.log(`contradictions: ${visits} of ${cells.length} screens, seed ${seed}`);
      expect(visits).toBeGreaterThan(0);
      expect(problems).toEqual([]);
    },
    IS_WHOLE ? WHOLE_MS : 120_000,
  );
});
