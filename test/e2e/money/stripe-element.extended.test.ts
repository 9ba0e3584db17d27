import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { Stripe } from "stripe";
import { build, type Rolldown } from "vite";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { startSandbox, type SandboxServer } from "../../sandbox-server.ts";
import { findViolations } from "../../support/accessibility.ts";
import { openBrowser } from "../../support/browser.ts";
import { postJson } from "../../support/sandbox-client.ts";

let sandbox: SandboxServer;
let browser: Browser;
let shop: string;
let stripe: Stripe;

beforeAll(async () => {
  [sandbox, browser, shop] = await Promise.all([startSandbox(), openBrowser(), bundleShop()]);
  const { hostname, port } = new URL(sandbox.url);
  stripe = new Stripe("sk_test_sandbox", { host: hostname, port, protocol: "http", telemetry: false });
});
afterAll(async () => {
  await browser.close();
  await sandbox.stop();
});
beforeEach(() => control("/sandbox/world", { reset: true, generate: false }));

const control = (path: string, body: object) => postJson({ fetch, origin: sandbox.url }, path, body);

/** The test shop's page, bundled as one script. */
async function bundleShop(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    define: { "process.env.NODE_ENV": JSON.stringify("development") },
    build: {
      write: false,
      minify: false,
      rolldownOptions: { input: fileURLToPath(new URL("stripe-shop.ts", import.meta.url)) },
    },
  });
  const [chunk] = (built as Rolldown.RolldownOutput).output;
  return chunk.code;
}

/** A page with the card's fields, on the sandbox's origin. */
async function enter({ locale = "en", theme = "stripe", amount = 3900 } = {}) {
  const intent = await stripe.paymentIntents.create({ amount, currency: "usd" });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en-US" });
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));
  page.on("console", (message) => {
    if (["warning", "error"].includes(message.type())) complaints.push(message.text());
  });
  await page.route("**/shop.js", (route) => route.fulfill({ contentType: "text/javascript", body: shop }));
  const ground = theme === "night" ? "#101214" : "#fff";
  await page.route("**/shop?**", (route) =>
    route.fulfill({
      contentType: "text/html",
      body: `<!doctype html><html lang="en"><title>Shop</title><meta name="viewport" content="width=device-width">
        <script src="/sandbox/stripe.js"></script>
        <body style="background:${ground}"><main><h1 style="color:${theme === "night" ? "#fff" : "#000"}">Shop</h1><div id="root"></div></main>
        <script type="module" src="/shop.js"></script></html>`,
    }),
  );
  const query = new URLSearchParams({ secret: intent.client_secret ?? "", locale, theme });
  await page.goto(`${sandbox.url}/shop?${query.toString()}`);
  const card = page.frameLocator('iframe[src="/sandbox/stripe/element"]');
  await card.getByRole("textbox").first().waitFor();
  const status = page.getByRole("status");
  const fill = async (number: string, { expiry = "1234", cvc = "123", zip = "11714" } = {}) => {
    await card.locator("#number").fill(number);
    await card.locator("#expiry").pressSequentially(expiry);
    await card.locator("#cvc").fill(cvc);
    await card.locator("#postalCode").fill(zip);
  };
  const pay = () => page.getByRole("button", { name: "Pay" }).click();
  return { page, intent, card, status, fill, pay, complaints };
}

const says = (status: ReturnType<Page["getByRole"]>) => expect.poll(() => status.textContent());

it("charges a card without exposing its number to the page", async () => {
  const { page, intent, card, fill, pay, status, complaints } = await enter();
  const sent: string[] = [];
  page.on("request", (request) =>
    sent.push(`${request.frame() === page.mainFrame() ? "page" : "frame"} ${request.method()}`),
  );
  // The frame has its own origin, so the page can't access it.
  expect(await page.locator("iframe").getAttribute("sandbox")).toBe("allow-scripts allow-forms");
  expect(await findViolations(page)).toEqual([]);
  await fill("4242424242424242");
  expect(await card.locator("#number").inputValue()).toBe("4242 4242 4242 4242");
  expect(await card.locator("#expiry").inputValue()).toBe("12 / 34");
  await pay();
  await says(status).toBe("succeeded");
  expect(sent).toEqual(["frame POST"]);
  const paid = await stripe.paymentIntents.retrieve(intent.id, { expand: ["latest_charge"] });
  expect(paid).toMatchObject({
    status: "succeeded",
    latest_charge: {
      billing_details: { address: { country: "US", postal_code: "11714" } },
      payment_method_details: { card: { last4: "4242", exp_month: 12, exp_year: 2034 } },
    },
  });
  expect(complaints).toEqual([]);
  await page.context().close();
});

it("shows why a card was declined, and accepts another", async () => {
  const { page, card, fill, pay, status } = await enter({ locale: "es-419", theme: "night" });
  expect(await card.getByText("Número de tarjeta").isVisible()).toBe(true);
  await fill("4000000000009995");
  await pay();
  await says(status).toBe("card_error insufficient_funds: Tu tarjeta no tiene fondos suficientes.");
  expect(await card.getByRole("alert").first().textContent()).toBe("Tu tarjeta no tiene fondos suficientes.");
  expect(await findViolations(page)).toEqual([]);
  await card.locator("#number").fill("4242424242424242");
  await pay();
  await says(status).toBe("succeeded");
  await page.context().close();
});

it("validates the fields before any request", async () => {
  const { page, card, fill, pay, status } = await enter({ locale: "pt-BR" });
  await pay();
  await says(status).toBe("validation_error incomplete_number: O número do seu cartão está incompleto.");
  await fill("4242424242424241", { expiry: "0120", cvc: "1", zip: "1" });
  await pay();
  await says(status).toBe("validation_error invalid_number: O número do seu cartão é inválido.");
  expect(await card.getByRole("alert").allTextContents()).toEqual([
    "O número do seu cartão é inválido.",
    "O ano de validade do seu cartão está no passado.",
    "O código de segurança do seu cartão está incompleto.",
    "Seu código postal está incompleto.",
  ]);
  expect(await findViolations(page)).toEqual([]);
  await page.context().close();
});

it.each([
  ["Complete", "succeeded"],
  [
    "Fail",
    "invalid_request_error payment_intent_authentication_failure: We are unable to authenticate your payment method. Please choose a different payment method and try again.",
  ],
])("shows 3-D Secure over the page: %s", async (answer, outcome) => {
  const { page, fill, pay, status } = await enter();
  await fill("4000002760003184");
  await pay();
  const bank = page.frameLocator('iframe[title="3D Secure"]');
  await bank.getByRole("button", { name: answer }).waitFor();
  expect(await findViolations(page)).toEqual([]);
  await bank.getByRole("button", { name: answer }).click();
  await says(status).toBe(outcome);
  expect(await page.getByRole("dialog").count()).toBe(0);
  await page.context().close();
});

it("returns from the bank's own page", async () => {
  await control("/sandbox/stripe/switches", { redirectNext: true });
  const { page, intent, fill, pay } = await enter();
  await fill("4242424242424242");
  await pay();
  await page.waitForURL("**/sandbox/stripe/bank?**");
  await page.getByRole("button", { name: "Complete" }).click();
  await page.waitForURL("**/shop?**");
  const back = new URL(page.url()).searchParams;
  expect([
    back.get("payment_intent"),
    back.get("payment_intent_client_secret"),
    back.get("redirect_status"),
  ]).toEqual([intent.id, intent.client_secret, "succeeded"]);
  // The shop opens its form again for a paid intent, which Stripe doesn't load.
  await page.reload();
  await says(page.getByRole("status")).toContain("not loaded: The PaymentIntent is in a terminal state");
  await page.context().close();
});

it("shows that Stripe doesn't respond, and pays on the next try", async () => {
  const { page, fill, pay, status } = await enter();
  await control("/sandbox/faults", { operation: "confirmInBrowser", fault: "500", times: 1 });
  await fill("4242424242424242");
  await pay();
  await says(status).toContain("api_error");
  await pay();
  await says(status).toBe("succeeded");
  await page.context().close();
});
