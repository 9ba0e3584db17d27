import { afterAll, beforeAll, expect, it } from "vitest";
import { sandboxSession, storeAtEachLoad } from "../../support/stored-session.ts";
import { createActiveDriver, openE2eHarness, type ActiveDriver, type E2eHarness } from "../harness.ts";

/** Without the sandbox's own. How many bytes they are stands in `first-html.test.ts`. */
const MOST_REQUESTS = 15;

/** One module that a card shares with other screens loads all that those need: once 35 kB, with the library of forms. */
const ALL_SCRIPTS = [
  "app",
  "home",
  "home-rest",
  "home-rest-rewards",
  "home-rest-shared",
  "lifecycle",
  "lost-days",
  "messages-en-first",
  "messages-en-home",
  "messages-en-rest",
  "rare",
  "rolldown-runtime",
  "start",
];

let harness: E2eHarness;
let driver: ActiveDriver;
beforeAll(async () => {
  harness = await openE2eHarness();
  driver = await createActiveDriver(harness);
});
afterAll(() => harness.close());

it("shows a driver's first card after fifteen requests, and then what is below it", async () => {
  const { app, browser } = harness;
  const context = await browser.newContext({
    viewport: { width: 375, height: 667 },
    locale: "en-US",
    serviceWorkers: "block",
  });
  const page = await context.newPage();
  await storeAtEachLoad(page, app.origin, await sandboxSession(app.origin, driver));
  const rest = Promise.withResolvers<void>();
  await page.route(/\/home-rest-[^/]+\.js$/u, async (route) => {
    await rest.promise;
    await route.continue();
  });
  const paths: string[] = [];
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/sandbox/")) paths.push(pathname);
  });
  await page.goto(`${app.origin}/flex/dashboard`, { waitUntil: "commit" });
  await page.getByTestId("system-card").waitFor();
  await expect.poll(() => paths.some((path) => path.includes("/home-rest-"))).toBe(true);
  const before = paths.slice(
    0,
    paths.findIndex((path) => /\/(?:home-rest|messages-en-home)-/u.test(path)),
  );
  expect(before.length, before.join("\n")).toBeLessThanOrEqual(MOST_REQUESTS);
  expect(await page.getByTestId("feed").count()).toBe(0);
  rest.resolve();
  for (const part of ["next-block", "feed", "today"]) await page.getByTestId(part).waitFor();
  const scripts = () => paths.flatMap((path) => /^\/assets\/(.+)-[\w-]{8}\.js$/u.exec(path)?.[1] ?? []);
  await expect.poll(() => [...new Set(scripts())].toSorted()).toEqual(ALL_SCRIPTS);
  await context.close();
});
