import { randomInt } from "node:crypto";
import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { signInBySrp } from "../../support/identity.ts";
import {
  waitUntilSignedIn,
  recordPoolOperations,
  openAccountHarness,
  PASSWORD,
  signIn,
  type AccountHarness,
} from "../account-harness.ts";

let harness: AccountHarness;
beforeAll(async () => {
  harness = await openAccountHarness();
});
afterAll(() => harness.close());

/** A signed-in driver on the list of blocks. */
async function openBlocks(): Promise<{ context: BrowserContext; page: Page; phone: string }> {
  const phone = `+1555${String(randomInt(1_000_000, 9_999_999))}`;
  await harness.register({ phoneNumber: phone, password: PASSWORD, name: "Ana" });
  const { context, page } = await harness.openPhone("/flex/blocks");
  await page.waitForURL("**/login?back=**");
  await signIn(page, phone);
  await isBlocks(page);
  return { context, page, phone };
}

async function isBlocks(page: Page): Promise<void> {
  await page.waitForURL("**/flex/blocks**", { timeout: 20_000 });
  // The list itself: its heading is there before its data.
  await page.getByRole("main").getByRole("link", { name: "Check my filters" }).waitFor();
}

/** Replaces the stored tokens with expired ones. The page checks only the expiry. */
function age(page: Page): Promise<void> {
  return page.evaluate(() => {
    for (const key of Object.keys(localStorage).filter((key) => /\.(id|access)Token$/.test(key))) {
      const [header = "", payload = "", signature = ""] = (localStorage.getItem(key) ?? "").split(".");
      const claims: Record<string, unknown> = JSON.parse(
        atob(payload.replaceAll("-", "+").replaceAll("_", "/")),
      );
      const aged = btoa(JSON.stringify({ ...claims, exp: 1 })).replaceAll("=", "");
      localStorage.setItem(key, [header, aged, signature].join("."));
    }
  });
}

it("refreshes an expired token once for all calls of the page", async () => {
  const { context, page } = await openBlocks();
  await age(page);
  const operations = recordPoolOperations(page);
  const refused: string[] = [];
  page.on("response", (response) => {
    if (response.status() === 401) refused.push(response.url());
  });
  await page.reload();
  await page.getByText("No blocks yet").waitFor();
  expect({ operations, refused }).toEqual({ operations: ["Renewal"], refused: [] });
  await context.close();
});

it("refreshes once for two tabs, and signs both out and in together", async () => {
  const { context, page, phone } = await openBlocks();
  const other = await context.newPage();
  // A page that was open would see the aged tokens and renew them at once, and lose the answer with its reload.
  await age(page);
  const operations = recordPoolOperations(context);
  await Promise.all([page.reload(), other.goto(`${harness.app.origin}/flex/filters`)]);
  // Each shows what only a call with a fresh token answers.
  await Promise.all([
    page.getByText("No blocks yet").waitFor(),
    other.getByRole("main").getByRole("link", { name: "Link my account" }).waitFor(),
  ]);
  expect(operations).toEqual(["Renewal"]);

  const visited: string[] = [];
  page.on("framenavigated", (frame) => visited.push(new URL(frame.url()).pathname));
  await page.getByRole("button", { name: "Menu" }).click();
  await delayStepsBack(page);
  await page.getByRole("dialog").getByRole("button", { name: "Sign out" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await other.waitForURL("**/login?back=**");
  // A driver who signed out by hand sees no request to sign in again, here or on the sign-in screen.
  await page.getByRole("contentinfo").getByRole("link", { name: "Sign in" }).click();
  await page.getByLabel("Phone number").waitFor();
  expect(visited.filter((path) => path !== "/flex/blocks")).toEqual(["/", "/login"]);
  expect(await page.getByText(/Sign in to see|session (was )?ended/i).count()).toBe(0);
  await page.goto(`${harness.app.origin}/login?back=/flex/blocks`);
  await signIn(page, phone);
  await isBlocks(page);
  await other.waitForURL("**/flex/filters", { timeout: 20_000 });
  await context.close();
});

it("signs out if the refresh is refused, and returns to the same screen after signing in", async () => {
  const { context, page, phone } = await openBlocks();
  await page.goto(`${harness.app.origin}/flex/blocks?type=lost`);
  await isBlocks(page);
  await age(page);
  await harness.app.sql(
    `UPDATE pool_sessions SET revoked_at = ? WHERE user_id = (SELECT id FROM pool_users WHERE phone_number = ?)`,
    Date.now(),
    phone,
  );
  const operations = recordPoolOperations(page);
  await page.reload();
  await page.waitForURL("**/login?back=**");
  await page.getByText("Your session was ended", { exact: false }).waitFor();
  expect(operations).toEqual(["Renewal"]);
  expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("Token")))).toEqual(
    [],
  );
  await signIn(page, phone);
  await page.waitForURL("**/flex/blocks?type=lost", { timeout: 20_000 });
  await context.close();
});

it("tells an open page that its session was ended elsewhere, and returns to its place after signing in", async () => {
  const { context, page, phone } = await openBlocks();
  const sockets: string[] = [];
  page.on("websocket", (socket) => sockets.push(socket.url()));
  const place = "/flex/blocks?type=upcoming";
  await page.goto(`${harness.app.origin}${place}`);
  await expect.poll(() => sockets.length).toBe(1);
  const { user } = await signInBySrp(harness.pool, { phoneNumber: phone, password: PASSWORD });
  await new Promise((onSuccess, onFailure) => user.globalSignOut({ onSuccess, onFailure }));
  // Nobody touches the page: its socket is closed, and the session can't be renewed.
  await page.waitForURL("**/login?back=**", { timeout: 20_000 });
  await page.getByText("Your session was ended", { exact: false }).waitFor();
  expect(new URL(page.url()).searchParams.get("back")).toBe(place);
  await signIn(page, phone);
  await page.waitForURL(`**${place}`, { timeout: 20_000 });
  await context.close();
});

it("opens the next setup step after a direct sign-in", async () => {
  const phone = "+15550100151";
  await harness.register({ phoneNumber: phone, password: PASSWORD, name: "Ana" });
  const { context, page } = await harness.openPhone("/login");
  await signIn(page, phone);
  await waitUntilSignedIn(page);
  expect(new URL(page.url()).pathname).toBe("/flex/login");
  await context.close();
});

/** Closing a sheet takes a step back, which a slow browser takes after what the tap leads to. */
async function delayStepsBack(page: Page): Promise<void> {
  await page.evaluate(() => {
    const back = history.back.bind(history);
    history.back = () => void setTimeout(back, 500);
  });
}
