import { afterAll, beforeAll, expect, it } from "vitest";
import {
  openAccountHarness,
  PASSWORD,
  signIn,
  waitUntilSignedIn,
  type AccountHarness,
} from "./account-harness.ts";

/** An origin of its own, so that the page's policy decides whether the script may be loaded. */
const CHAT = "http://chat.localhost";

let harness: AccountHarness;
beforeAll(async () => {
  harness = await openAccountHarness({
    CHATWOOT_URL: `${CHAT}/sandbox/chatwoot`,
    CHATWOOT_TOKEN: "web1",
    CHATWOOT_HMAC_KEY: "signing0",
  });
});
afterAll(() => harness.close());

it("loads the support chat by its button and never before, as the driver, and ends it at sign-out", async () => {
  const account = { phoneNumber: "+15550100164", password: PASSWORD, name: "Rui" };
  await harness.register(account);
  const { context, page } = await harness.openPhone("/login");
  const asked: string[] = [];
  const blocked: string[] = [];
  page.on("console", (line) => {
    if (line.text().includes("Content Security Policy")) blocked.push(line.text());
  });
  await context.route(`${CHAT}/**`, async (route) => {
    const { pathname } = new URL(route.request().url());
    asked.push(pathname);
    await route.fulfill({ response: await route.fetch({ url: `${harness.app.origin}${pathname}` }) });
  });
  await signIn(page, account.phoneNumber);
  await waitUntilSignedIn(page);
  await page.goto(`${harness.app.origin}/contact`);
  const button = page.getByRole("button", { name: "Chat with us" });
  await button.waitFor();
  expect(asked).toEqual([]);
  await button.click();
  await page.frameLocator("#chatwoot_live_chat_widget").getByText("support chat").waitFor();
  const calls = () => page.evaluate(() => Reflect.get(window, "sandboxChat") as unknown[][]);
  await expect.poll(calls).toContainEqual(["toggle", "open"]);
  expect(await calls()).toEqual([
    ["run", "web1"],
    [
      "setUser",
      `jornada-${account.phoneNumber}`,
      {
        name: expect.any(String),
        phone_number: account.phoneNumber,
        identifier_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ],
    [
      "setCustomAttributes",
      { good_standing: false, expiration_date: null, human_region: null, account_connected: false },
    ],
    ["setLabel", "jornada"],
    ["setLocale", "en"],
    ["toggle", "open"],
  ]);
  // The open chat covers the footer on a phone.
  await page.getByRole("contentinfo").getByRole("button", { name: "Sign out" }).dispatchEvent("click");
  await expect.poll(calls).toContainEqual(["reset"]);
  const cookies = () => page.evaluate(() => document.cookie);
  await expect.poll(cookies).not.toContain("cw_");

  // The next time it is a page that was loaded anew, and every device is signed out.
  await page.goto(`${harness.app.origin}/login`);
  await signIn(page, account.phoneNumber);
  await waitUntilSignedIn(page);
  await page.goto(`${harness.app.origin}/contact`);
  await button.click();
  await expect.poll(cookies).toMatch(/(?=.*cw_conversation)(?=.*cw_user_web1)/);
  await page.goto(`${harness.app.origin}/flex/profile`);
  await page.getByRole("button", { name: "Sign out everywhere" }).click();
  await page.waitForURL((url) => url.pathname === "/");
  await expect.poll(cookies).not.toContain("cw_");
  expect(blocked).toEqual([]);
  await context.close();
});
