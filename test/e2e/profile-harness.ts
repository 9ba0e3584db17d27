import { randomInt } from "node:crypto";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { User } from "../../worker/contract/account/user.ts";
import { openBrowser } from "../support/browser.ts";
import { startBuiltApp, type BuiltApp } from "../support/runtime/built-app.ts";
import { linkPlatformAccount } from "../support/sandbox-client.ts";
import { DriverClient } from "../support/driver-client.ts";
import { lastText, openUserPool, registerAccount } from "../support/identity.ts";
import { agentOf, gotoWith, poolSession } from "../support/stored-session.ts";

export const PASSWORD = "Jornada-1-test";
export const PHONE = { viewport: { width: 390, height: 844 } };

export type Member = { phoneNumber: string; email: string; client: DriverClient };
export type ProfileHarness = Awaited<ReturnType<typeof openProfileHarness>>;
/** The stories of one file share its product, which is started before the first of them. */
export type OpenProfiles = () => ProfileHarness;

/** The built product with the embedded user pool, and drivers who open their profile. */
export async function openProfileHarness() {
  const [app, browser]: [BuiltApp, Browser] = await Promise.all([
    startBuiltApp({ settings: { IDENTITY: "embedded" } }),
    openBrowser(),
  ]);
  return {
    app,
    browser,
    close: async () => {
      await browser.close();
      await app.stop();
    },

    /** A driver with an account, a record and a linked platform account. */
    async join(): Promise<Member> {
      const phoneNumber = `+1555${String(randomInt(10_000_000)).padStart(7, "0")}`;
      const email = `ana-${phoneNumber.slice(-7)}@example.com`;
      const pool = await openUserPool(app.origin);
      const account = { phoneNumber, password: PASSWORD, name: "Ana" };
      await registerAccount(pool, account, () => lastText(app.origin, phoneNumber));
      const { idToken } = await poolSession(app.origin, account);
      const outside = { fetch, origin: app.origin };
      const client = new DriverClient({ ...outside, token: idToken });
      await client.sealed("PUT", "/flex/v1/user", { name: "Ana", phoneNumber });
      await linkPlatformAccount({ ...outside, client }, email);
      return { phoneNumber, email, client };
    },

    /** Ends the sessions of one member, as another device would. */
    endSessionsOf: ({ phoneNumber }: Member) =>
      app.sql(
        `UPDATE pool_sessions SET revoked_at = 1 WHERE user_id = (SELECT id FROM pool_users WHERE phone_number = ?)`,
        phoneNumber,
      ),

    /** The profile of a member who has just signed in. */
    async openProfile(
      { phoneNumber }: Member,
      look: BrowserContextOptions = PHONE,
      heading = "My profile",
    ): Promise<Page> {
      const context = await browser.newContext({ locale: "en-US", ...look });
      const page = await context.newPage();
      const account = { phoneNumber, password: PASSWORD };
      const { items } = await poolSession(app.origin, account, await agentOf(page));
      await gotoWith(page, `${app.origin}/flex/profile`, items);
      await page.getByRole("heading", { name: heading }).waitFor({ timeout: 20_000 });
      return page;
    },
  };
}

export async function readUser({ client }: Member): Promise<User> {
  return (await client.fetchJson<{ Item: User }>("GET", "/flex/v1/user")).Item;
}

/** Fills in the sign-in form and submits it. */
export async function enter(page: Page, phoneNumber: string, password: string): Promise<void> {
  await page.getByLabel("Phone number").fill(phoneNumber);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}
