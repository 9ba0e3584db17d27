import type { Page } from "playwright-core";
import type { DriverClient } from "../../support/driver-client.ts";
import { postJson } from "../../support/sandbox-client.ts";
import type { E2eHarness } from "../harness.ts";

export type Look = {
  viewport?: { width: number; height: number };
  locale?: string;
  colorScheme?: "light" | "dark";
  forcedColors?: "active";
};

/** The console, signed in at the sandbox's Access. */
export async function openConsole({ app, browser }: E2eHarness, as: "owner" | "support", look: Look = {}) {
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    locale: "en-US",
    serviceWorkers: "block",
    ...look,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") errors.push(message.text());
  });
  await page.goto(`${app.origin}/sandbox/access?as=${as}`);
  await page.getByRole("heading", { level: 1, name: /^(Fleet|Flota|Frota)$/ }).waitFor();
  return { page, context, errors };
}

/** Keeps a picture of a screen where a folder for them is given. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env["CONSOLE_PICTURES"];
  if (folder) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true });
}

/** Pays for seven days. @returns the payment's id */
export async function pay({ app }: E2eHarness, { client }: { client: DriverClient }): Promise<string> {
  const response = await client.sealed("POST", "/flex/v1/payments/prepare", {
    plan: "7days",
    points: 0,
    totalCents: 5022,
    lastPaymentId: null,
  });
  const { paymentId, clientSecret } = (await response.json()) as { paymentId: string; clientSecret: string };
  const target = { fetch, origin: app.origin };
  await postJson(target, `/sandbox/stripe/intents/${clientSecret.split("_secret_")[0]}/pay`, {});
  return paymentId;
}
