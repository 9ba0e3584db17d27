import type { Browser, BrowserContext, Page } from "playwright-core";
import { openBrowser } from "../support/browser.ts";
import { startBuiltApp, type BuiltApp } from "../support/runtime/built-app.ts";
import { lastCode, lastText, openUserPool, registerAccount, type Account } from "../support/identity.ts";

export const PASSWORD = "Jornada-1-test";

export type AccountHarness = Awaited<ReturnType<typeof openAccountHarness>>;

/** The built product with the embedded user pool, in a real Chromium. */
export async function openAccountHarness(settings: Record<string, string> = {}) {
  const [app, browser]: [BuiltApp, Browser] = await Promise.all([
    startBuiltApp({ settings: { IDENTITY: "embedded", ...settings } }),
    openBrowser(),
  ]);
  const pool = await openUserPool(app.origin);
  const openPhone = async (path: string): Promise<{ context: BrowserContext; page: Page }> => {
    const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-US" });
    const page = await context.newPage();
    await page.goto(`${app.origin}${path}`);
    return { context, page };
  };
  return {
    app,
    browser,
    pool,
    openPhone,
    /** The code in the newest text to a number. */
    codeFor: (phoneNumber: string) => lastCode(app.origin, phoneNumber),
    /** A confirmed account without a record. */
    register: async (account: Account) =>
      registerAccount(pool, account, () => lastText(app.origin, account.phoneNumber)),
    /** Advances the pool's clock by half a minute, so that it can send another code. */
    passResendGap: () => app.sql(`UPDATE pool_codes SET sent_at = sent_at - 31000`),
    close: async () => {
      await browser.close();
      await app.stop();
    },
  };
}

/** Until a painted form is alive. Typing before that is another story. */
export const formAlive = (page: Page) =>
  page.locator('#root[data-painted="form"]').waitFor({ state: "detached" });

/** Fills in the sign-in form and submits it with Enter. */
export async function signIn(page: Page, phone: string, password = PASSWORD): Promise<void> {
  await formAlive(page);
  await page.getByLabel("Phone number").fill(phone);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
}

/** Fills in the registration form and submits it. */
export async function signUp(page: Page, name: string, phone: string): Promise<void> {
  await formAlive(page);
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("Phone number").fill(phone);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Repeat your password").fill(PASSWORD);
  await page.locator('input[name="terms"]').check();
  await page.getByRole("button", { name: "Create account" }).click();
}

/** Fills in the code on the present screen, which sends itself. */
export async function submitCode(page: Page, code: string): Promise<void> {
  await page.getByLabel("Confirmation code").fill(code);
}

/** Records the page's calls to the user pool. Token refreshes are distinguished from sign-ins. */
export function recordPoolOperations(source: Page | BrowserContext): string[] {
  const operations: string[] = [];
  source.on("request", (request) => {
    const target = request.headers()["x-amz-target"];
    if (!target) return;
    const isRenewal = (request.postData() ?? "").includes("REFRESH_TOKEN_AUTH");
    operations.push(isRenewal ? "Renewal" : (target.split(".")[1] ?? target));
  });
  return operations;
}

/** Waits for the screen after signing in. */
export async function waitUntilSignedIn(page: Page): Promise<void> {
  await page.waitForURL((url) => url.pathname.startsWith("/flex/"), { timeout: 20_000 });
}
