import { env } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { PaymentResponse, Receipt } from "../../../worker/contract/money/payments.ts";
import type { RenewalLinkResponse } from "../../../worker/contract/money/renewal-link.ts";
import { RENEWAL_WORDS } from "../../../db/shapes/money/renewal.ts";
import { apiTarget, resetPlatform, type TestDriver } from "../harness.ts";
import {
  clearFaults,
  codeOf,
  createPreparedPayment,
  fetchPayment,
  payIntent,
  rows,
} from "../payments-harness.ts";
import {
  agreeToRenewal,
  createServedDriver,
  lookBeforeEnd,
  liveThrough,
  paymentsOf,
  putRenewal,
  renewalOf,
  textsAbout,
  PAID_BY_HAND,
} from "../renewal-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(clearFaults);
afterEach(() => vi.unstubAllGlobals());

const LINK = /\/renewal#([\w-]{38})$/;

/** The tokens in the texts that acknowledged a driver's consents, the newest first. */
async function linksOf(driver: TestDriver, count = 1): Promise<string[]> {
  await expect.poll(() => textsAbout(driver, LINK)).toHaveLength(count);
  return (await textsAbout(driver, LINK)).map((text) => LINK.exec(text)?.[1] ?? "");
}

async function createConsenting() {
  const driver = await createServedDriver();
  const { paymentId } = await agreeToRenewal(driver);
  const [token = ""] = await linksOf(driver);
  return { driver, paymentId, token };
}

function call(method: string, authorization: string): Promise<Response> {
  return apiTarget.fetch(`${apiTarget.origin}/flex/v1/renewal-link`, { method, headers: { authorization } });
}

const open = async (token: string) => (await call("GET", `Link ${token}`)).json<RenewalLinkResponse>();
const press = (token: string) => call("POST", `Link ${token}`);

async function refusal(answer: Response): Promise<[number, string]> {
  return [answer.status, await codeOf(answer)];
}

const USED = [410, "undo_expired"];

describe("consent to a renewal", () => {
  it("is acknowledged by a text with the cap and the link that ends it", async () => {
    const driver = await createServedDriver();
    await agreeToRenewal(driver);
    await linksOf(driver);
    const [text] = await textsAbout(driver, LINK);
    expect(text).toMatch(/Renewal is on, for at most \$50\.22 each time\. Turn it off: http.*\/renewal#/);
  });

  it("is acknowledged on the payment's page and its receipt, with the same link", async () => {
    const { driver, paymentId, token } = await createConsenting();
    const renewal = {
      status: "on",
      plan: "7days",
      capCents: 5022,
      currency: "USD",
      words: RENEWAL_WORDS,
      agreedAt: expect.any(Number),
      withdrawnAt: null,
      link: token,
    };
    expect((await fetchPayment(driver, paymentId)).renewal).toEqual(renewal);
    const receipt = await driver.client.fetchJson<Receipt>("GET", `/flex/v1/payments/${paymentId}/receipt`);
    expect(receipt.renewal).toEqual(renewal);
  });

  it("is not claimed of a payment without", async () => {
    const driver = await createServedDriver();
    const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "7days" });
    await payIntent(intentId);
    expect((await fetchPayment(driver, paymentId)).renewal).toBeNull();
    expect(await textsAbout(driver, LINK)).toEqual([]);
  });

  it("is acknowledged anew where the driver turns renewal on again, and the former link ends nothing", async () => {
    const { driver, token } = await createConsenting();
    await putRenewal(driver, { on: false });
    const again = { on: true, plan: "7days", capCents: 5022, words: RENEWAL_WORDS };
    expect((await putRenewal(driver, again)).status).toBe(200);
    const links = await linksOf(driver, 2);
    expect(new Set(links).size).toBe(2);
    expect(await refusal(await press(token))).toEqual(USED);
    expect(await renewalOf(driver)).toMatchObject({ status: "on" });
    expect((await press(links.find((link) => link !== token) ?? "")).status).toBe(204);
    expect(await renewalOf(driver)).toMatchObject({ status: "off" });
  });
});

describe("the link that ends a renewal", () => {
  it("changes nothing by being opened, however often", async () => {
    const { driver, token } = await createConsenting();
    for (let times = 0; times < 3; times += 1) {
      expect(await open(token)).toMatchObject({
        status: "on",
        plan: "7days",
        capCents: 5022,
        language: "en",
      });
    }
    expect((await call("HEAD", `Link ${token}`)).status).toBe(200);
    expect(await renewalOf(driver)).toMatchObject({ status: "on" });
  });

  it("ends it once, without a session, and nothing is charged after", async () => {
    const { driver, token } = await createConsenting();
    expect((await press(token)).status).toBe(204);
    expect(await renewalOf(driver)).toMatchObject({ status: "off", chargeAt: null });
    expect(await open(token)).toMatchObject({
      status: "ended",
      words: RENEWAL_WORDS,
      withdrawnAt: expect.any(Number),
    });
    expect(await refusal(await press(token))).toEqual(USED);
    await lookBeforeEnd(driver, 48);
    await liveThrough(driver);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    const [consent] = await rows(
      `SELECT withdrawn_at FROM renewal_consents WHERE driver_id = ?`,
      driver.driverId,
    );
    expect(consent?.["withdrawn_at"]).toEqual(expect.any(Number));
  });

  it("ends the renewal of its own driver alone", async () => {
    const { driver, token } = await createConsenting();
    const { driver: other, paymentId } = await createConsenting();
    await press(token);
    expect(await renewalOf(driver)).toMatchObject({ status: "off" });
    expect(await renewalOf(other)).toMatchObject({ status: "on" });
    const stranger = await driver.client.call("GET", `/flex/v1/payments/${paymentId}/receipt`);
    expect(stranger.status).toBe(404);
  });

  it("opens no other call, and no other credential opens it", async () => {
    const { driver, token } = await createConsenting();
    const elsewhere = await apiTarget.fetch(`${apiTarget.origin}/flex/v1/payments`, {
      headers: { authorization: `Link ${token}` },
    });
    expect(elsewhere.status).toBe(401);
    const signedIn = await driver.client.call("POST", "/flex/v1/renewal-link");
    expect(signedIn.status).toBe(401);
    expect((await call("POST", "")).status).toBe(401);
    expect(await renewalOf(driver)).toMatchObject({ status: "on" });
  });

  it.each([
    ["a made up", "x".repeat(38)],
    ["a cut off", "x".repeat(20)],
  ])("refuses %s token", async (_name, token) => {
    expect(await refusal(await call("GET", `Link ${token}`))).toEqual(USED);
    expect(await refusal(await press(token))).toEqual(USED);
  });

  it("ends a renewal that paused, too", async () => {
    const { driver, token } = await createConsenting();
    await env.DB.prepare(
      `UPDATE renewals SET status = 'paused', pause = 'declined', due_at = NULL WHERE driver_id = ?`,
    )
      .bind(driver.driverId)
      .run();
    expect(await open(token)).toMatchObject({ status: "paused" });
    expect((await press(token)).status).toBe(204);
    expect(await renewalOf(driver)).toMatchObject({ status: "off" });
  });

  it("is void once the account is deleted", async () => {
    const { driver, token } = await createConsenting();
    expect((await driver.client.call("DELETE", "/flex/v1/user")).status).toBeLessThan(300);
    await expect.poll(async () => refusal(await call("GET", `Link ${token}`))).toEqual(USED);
    expect(await refusal(await press(token))).toEqual(USED);
  });

  it("is in no log, not even of the call that it makes", async () => {
    const lines: unknown[] = [];
    for (const level of ["log", "info", "warn", "error"] as const)
      vi.spyOn(console, level).mockImplementation((...line) => void lines.push(line));
    const { driver, token, paymentId } = await createConsenting();
    await open(token);
    await press(token);
    await press(token);
    const { renewal }: PaymentResponse = await fetchPayment(driver, paymentId);
    vi.restoreAllMocks();
    expect(renewal).toMatchObject({ status: "ended", link: null });
    expect(lines.length).toBeGreaterThan(3);
    expect(JSON.stringify(lines)).not.toContain(token);
  });
});
