import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ServerMessage } from "../../db/shapes/work/live.ts";
import type { Phase } from "../../db/shapes/work/phase.ts";
import type { User } from "../../worker/contract/account/user.ts";
import { parseTree } from "../claims/accessibility-tree.ts";
import { feed, type RealResponses } from "../claims/fed-page.ts";
import { measureOrder, measureSignals } from "../claims/in-page-order.ts";
import { judge, type Facts } from "../claims/judge.ts";
import { objectStateIn } from "../claims/object-states.ts";
import { readClaims, type Claim } from "../claims/read-claims.ts";
import { allCells, CASES, nameOf, type Cell } from "../claims/states.ts";
import { phaseOf } from "../../durable/engine/phase.ts";
import type { OfferHoursResponse, WeekResponse } from "../../worker/contract/work/statistics.ts";
import { SETTINGS } from "../engine/fixtures.ts";
import { shuffle } from "../support/seeded-rolls.ts";
import { settle } from "../matrix/in-page.ts";
import { acceptOnPlatform } from "../support/sandbox-client.ts";
import { gotoWith, sandboxSession } from "../support/stored-session.ts";
import {
  createActiveDriver,
  openE2eHarness,
  publishOffer,
  type ActiveDriver,
  type E2eHarness,
} from "./harness.ts";
import { RUN_SEED } from "../support/run-seed.ts";

/** `npm run contradictions` looks at every cell; every other run at as many as this time allows. */
const IS_WHOLE = process.env["CLAIMS"] === "whole";
const ONLY = new RegExp(process.env["CLAIMS_ONLY"] ?? "");
const PART_MS = 8_000;
const WHOLE_MS = 3_600_000;

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
  await publishOffer(harness, driver.warehouseIds[0]!, { inMinutes: 300, payCents: 9_950 });
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
      if (!("snapshot" in message)) return;
      const { snapshot: sent } = message;
      if (sent.held.length > 1 && sent.today.captured > 0) held.resolve(sent);
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
  const week = await driver.client.fetchJson<WeekResponse>("GET", "/flex/v1/week");
  const offerHours = await driver.client.fetchJson<OfferHoursResponse>("GET", "/flex/v1/offer-hours");
  return { snapshot, user, earnings: (await earnings()).earnings, plans, week, offerHours };
}

/** One block captured today, one by hand that is not over, and one of last week, of before Jornada knew the driver. */
const FIGURES: Facts["figures"] = {
  todayBlocks: ["1"],
  todayPay: ["$99.50"],
  weekBlocks: ["1"],
  weekPay: ["$99.50"],
  workedBlocks: ["0"],
  workedPay: ["$0.00"],
  workedBefore: [],
  earnedToday: ["$0.00"],
  earnedWeek: ["$0.00"],
  earnedLastWeek: ["$90.00"],
};

async function look(
  page: Page,
  { screen }: Cell,
  isWholeWidth: boolean,
): Promise<{ claims: Claim[]; order: string[] }> {
  await page.evaluate(settle, QUIET);
  const claims = readClaims(parseTree(await page.locator("body").ariaSnapshot()), screen);
  const light = await page
    .getByTestId("system-switch")
    .getAttribute("data-light", { timeout: 1 })
    .catch(() => null);
  if (light !== null) claims.push({ about: "light", says: light, line: "the switch" });
  const order = await page.evaluate(measureSignals);
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
    const { now, cut } = await feed(page, context, real, cell);
    await page.goto(`${harness.app.origin}${cell.screen}`);
    await page.locator("h1").first().waitFor({ state: "attached" });
    await page.locator("[data-skeleton]").first().waitFor({ state: "detached" });
    if (cell.link === "offline") {
      await page.evaluate(settle, QUIET);
      await cut();
    }
    const facts = { figures: FIGURES, now, timeZone: real.user.humanTimezone };
    let problems: string[] = [];
    for (let tries = 0; tries < LOOKS; tries++) {
      const { claims, order } = await look(page, cell, IS_WHOLE);
      problems = [...judge(claims, cell, facts), ...order];
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

describe(`what the screens claim, seed ${RUN_SEED}`, () => {
  it("the driver's object is in the phase of each cell", () => {
    const now = Date.now();
    const kindsOf = ({ kind, ...phase }: Phase) => [kind, "until" in phase && phase.until !== null];
    const cells = allCells();
    expect(
      cells.map((cell) => [cell.name, ...kindsOf(phaseOf(objectStateIn(cell, now), now, SETTINGS))]),
    ).toEqual(cells.map((cell) => [cell.name, ...kindsOf(CASES[cell.name].phase(now))]));
  });

  it(
    "no screen contradicts the driver's object, itself, or the order in which it is seen",
    async () => {
      const cells = shuffle(allCells(), RUN_SEED).filter((cell) => ONLY.test(nameOf(cell)));
      const until = Date.now() + (IS_WHOLE ? WHOLE_MS : PART_MS);
      const problems: string[] = [];
      let visits = 0;
      for (const cell of cells) {
        if (Date.now() > until) break;
        problems.push(...(await visit(cell)));
        visits++;
      }
      console.log(`contradictions: ${visits} of ${cells.length} screens, seed ${RUN_SEED}`);
      expect(visits).toBeGreaterThan(0);
      expect(problems).toEqual([]);
    },
    IS_WHOLE ? WHOLE_MS : 120_000,
  );
});
