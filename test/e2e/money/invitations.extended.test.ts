import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { postJson } from "../../support/sandbox-client.ts";
import {
  formAlive,
  openAccountHarness,
  signUp,
  submitCode,
  waitUntilSignedIn,
  type AccountHarness,
} from "../account-harness.ts";

let harness: AccountHarness;
beforeAll(async () => {
  harness = await openAccountHarness();
  await postJson({ fetch, origin: harness.app.origin }, "/sandbox/stripe/endpoint", {
    url: `${harness.app.origin}/webhooks/stripe`,
    secret: "whsec_sandbox",
  });
});
afterAll(() => harness.close());

async function textsTo(phoneNumber: string): Promise<string[]> {
  const response = await fetch(`${harness.app.origin}/sandbox/sms?to=${encodeURIComponent(phoneNumber)}`);
  const { messages } = (await response.json()) as { messages: { body: string }[] };
  return messages.map(({ body }) => body);
}

async function register(page: Page, name: string, phone: string): Promise<void> {
  await signUp(page, name, phone);
  await page.getByLabel("Confirmation code").waitFor();
  await submitCode(page, await harness.codeFor(`+1${phone}`));
  await waitUntilSignedIn(page);
}

async function payWithCard(page: Page): Promise<void> {
  await page.goto(`${harness.app.origin}/flex/payments?plan=7days`);
  const card = page.frameLocator('iframe[title="Secure payment input frame"]');
  await card.getByLabel("Card number").fill("4242424242424242");
  await card.getByLabel("Expiration date").fill("12/39");
  await card.getByLabel("Security code").fill("123");
  await card.getByLabel("ZIP code").fill("10001");
  await page.getByRole("button", { name: "Pay $50.22" }).click();
  await page.getByTestId("payment-outcome").getByText("Paid").waitFor();
}

it("invites a friend, who registers through the link and pays: free days arrive in the inviter's open page", async () => {
  const inviter = await harness.openPhone("/register");
  await register(inviter.page, "Ana", "5550100150");
  await inviter.page.goto(`${harness.app.origin}/flex/invitations`);
  await inviter.page.getByText("No invitations yet").waitFor();
  const number = inviter.page.getByLabel("Your friend's phone number");
  const send = inviter.page.getByRole("button", { name: "Send invitation" });
  await number.fill("555010");
  await send.click();
  await inviter.page.getByText("Enter a US number with 10 digits.").waitFor();
  await number.fill("5550100150");
  await send.click();
  await inviter.page.getByText("That's your own number. Enter a friend's.").waitFor();
  await number.fill("5550100151");
  await send.click();
  await inviter.page.getByText("Invitation sent").waitFor();
  const list = inviter.page.getByTestId("invitations");
  await list.getByText("Unregistered").waitFor();

  const [text = ""] = await textsTo("+15550100151");
  const link = /https?:\S+/.exec(text)?.[0] ?? "";
  expect(await inviter.page.getByTestId("invite-link").innerText()).toBe(link);
  const { pathname, search } = new URL(link);
  // The friend takes another number than the invited one: the link alone says who invited them.
  const friend = await harness.openPhone(`${pathname}${search}`);
  await register(friend.page, "Bea", "5550100152");
  await payWithCard(friend.page);

  await list.getByText("Completed").waitFor();
  await list.getByText("Free days for you").waitFor();
  // As many as the friend's plan has, since it has fewer than ten.
  await inviter.page.getByTestId("service-time").getByText("7 days left").waitFor();
  await expect
    .poll(async () => (await textsTo("+15550100150")).join())
    .toContain("A friend you invited paid for their first plan.");
  await friend.context.close();
  await inviter.context.close();
});

/** The ways from an inviter's link through other pages to the registration. */
const DETOURS: Record<string, (page: Page) => Promise<void>> = {
  "the sign-in": async (page) => {
    await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
    await page.waitForURL("**/login");
    await page.getByRole("main").getByRole("link", { name: "Register now" }).click();
  },
  "the logo and the landing page's own button": async (page) => {
    await page.getByRole("banner").getByRole("link", { name: "Jornada" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    await page.getByRole("main").getByRole("link", { name: "Register now" }).first().click();
  },
  "the menu": async (page) => {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "FAQs" }).click();
    await page.waitForURL("**/faqs");
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("dialog").getByRole("link", { name: "Register now" }).click();
  },
  "an address typed on another day": async (page) => {
    await page.goto(`${harness.app.origin}/terms`);
    await page.goto(`${harness.app.origin}/register`);
  },
};

it.each(Object.keys(DETOURS).map((way, index) => [way, index] as const))(
  "knows the inviter after a detour by %s, and says who invites",
  async (way, index) => {
    const inviter = await harness.openPhone("/register");
    await register(inviter.page, "Ana Maria Lima", `555010016${index}`);
    await inviter.page.goto(`${harness.app.origin}/flex/invitations`);
    const { pathname, search } = new URL(await inviter.page.getByTestId("invite-link").innerText());
    const { page, context } = await harness.openPhone(`${pathname}${search}`);
    await formAlive(page);
    await DETOURS[way]?.(page);
    await page.waitForURL((url) => url.pathname === "/register");
    await page.getByTestId("invited-by").getByText("Ana invited you to Jornada.", { exact: true }).waitFor();
    await register(page, "Bea", `555010017${index}`);
    expect(
      await harness.app.sql(`SELECT referral FROM users WHERE phone_number = ?`, `+1555010017${index}`),
    ).toEqual([{ referral: new URLSearchParams(search).get("referral") }]);
    await Promise.all([inviter.context.close(), context.close()]);
  },
);

it("knows the inviter of a visitor who taps a link before the page's code is there", async () => {
  const { page, context } = await harness.openPhone("/faqs");
  const errors: string[] = [];
  page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
  await page.route("**/assets/*.js", () => undefined);
  await page.goto(`${harness.app.origin}/register?referral=ana`);
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await page.waitForURL("**/login?referral=ana");
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.reload();
  await formAlive(page);
  await page.getByRole("main").getByRole("link", { name: "Register now" }).click();
  await page.waitForURL("**/register?referral=ana");
  expect(errors).toEqual([]);
  await context.close();
});

it("registers a newcomer whose link has a referral that is too long", async () => {
  const { page, context } = await harness.openPhone(`/register?referral=${"x".repeat(70)}`);
  await register(page, "Caio", "5550100153");
  expect(await harness.app.sql(`SELECT referral FROM users WHERE phone_number = ?`, "+15550100153")).toEqual([
    { referral: "jornada" },
  ]);
  await context.close();
});

it("shares the link by the phone's own sheet, copies it, and shows it as a code to scan", async () => {
  const { page, context } = await harness.openPhone("/register");
  await context.grantPermissions(["clipboard-read", "clipboard-write"], { origin: harness.app.origin });
  await context.addInitScript(() => {
    navigator.share = async (data) => void Reflect.set(window, "sharedData", data);
  });
  await register(page, "Duda", "5550100154");
  await page.goto(`${harness.app.origin}/flex/invitations`);
  const link = await page.getByTestId("invite-link").innerText();
  await page.getByRole("button", { name: "Share", exact: true }).click();
  await expect
    .poll(() => page.evaluate(() => Reflect.get(window, "sharedData") as ShareData))
    .toEqual({ title: "Jornada", text: "Get delivery blocks with Jornada:", url: link });
  await page.getByRole("button", { name: "Copy link" }).click();
  await page.getByText("Link copied").waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await page.getByRole("img", { name: "QR code of your link" }).waitFor();
  await context.close();
});

it("says why an invitation was refused, keeps the number, and says when the list could not be loaded", async () => {
  const { page, context } = await harness.openPhone("/register");
  await register(page, "Edu", "5550100155");
  await page.goto(`${harness.app.origin}/flex/invitations`);
  const number = page.getByLabel("Your friend's phone number");
  const alert = page.getByRole("alert").filter({ hasText: "Error sending invitation. Please try again." });
  await number.fill("5550100156");
  for (const { status, code, words, isOfNumber } of [
    {
      status: 409,
      code: "already_registered",
      words: "This number is already registered.",
      isOfNumber: true,
    },
    {
      status: 409,
      code: "already_invited",
      words: "This number was already invited. Send your link instead.",
      isOfNumber: true,
    },
    {
      status: 429,
      code: "invitations_used_up",
      words: "You've tried a lot of numbers today. Send your link instead, or try again tomorrow.",
      isOfNumber: false,
    },
    {
      status: 503,
      code: "text_not_sent",
      words: "We couldn't send the text. Try again, or wait an hour if it still fails.",
      isOfNumber: false,
    },
  ]) {
    const json = { code, message: { en: "-", es: "-", pt: "-" }, requestId: "1" };
    await page.route("**/flex/v1/invitations", (route) =>
      route.request().method() === "POST" ? route.fulfill({ status, json }) : route.fallback(),
    );
    await page.getByRole("button", { name: "Send invitation" }).click();
    await (isOfNumber ? page.locator("form") : alert).getByText(words).waitFor();
    // Trying again doesn't help where the number is the reason, which is said at the number.
    expect([await alert.count(), await number.getAttribute("aria-invalid")]).toEqual(
      isOfNumber ? [0, "true"] : [1, "false"],
    );
    await page.unroute("**/flex/v1/invitations");
  }
  expect(await number.inputValue()).toContain("010-0156");

  await page.route("**/flex/v1/invitations", (route) => route.fulfill({ status: 400, json: {} }));
  await page.reload();
  await page.getByText("We couldn't load your invitations").waitFor();
  await page.unroute("**/flex/v1/invitations");
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByText("No invitations yet").waitFor();
  await context.close();
});
