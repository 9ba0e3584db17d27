import { env } from "cloudflare:test";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { resetPlatform, type TestDriver } from "../harness.ts";
import { clearFaults, codeOf, rows, followPayments } from "../payments-harness.ts";
import {
  createRenewing,
  liveThrough,
  lookBeforeEnd,
  passTime,
  paymentsOf,
  putRenewal,
  renewalOf,
  retryNow,
  serviceEndOf,
  textsAbout,
  NOT_CHARGED,
  PAID_BY_HAND,
  RENEWED,
} from "../renewal-harness.ts";

beforeAll(() => resetPlatform());
beforeEach(clearFaults);
afterEach(() => vi.unstubAllGlobals());

const HOUR_MS = 3_600_000;

/** A driver whose renewal was announced, by a text of which nothing is known. */
async function createNoticed(): Promise<TestDriver> {
  const driver = await createRenewing();
  await followPayments();
  await lookBeforeEnd(driver, 48.9);
  return driver;
}

const see = ({ client }: TestDriver, body: unknown) =>
  client.call("POST", "/flex/v1/payments/renewal/seen", { body });

const channelsOf = async ({ driverId }: TestDriver) =>
  rows(`SELECT channel FROM renewal_notices WHERE driver_id = ? AND channel = 'page'`, driverId);

describe("the notice of a renewal that a page has shown", () => {
  it("is what was announced, and confirms it as an arrived text does", async () => {
    const driver = await createNoticed();
    const notice = { end: await serviceEndOf(driver), cents: 5022 };
    expect(await renewalOf(driver)).toMatchObject({ status: "on", notice });
    expect((await see(driver, notice)).status).toBe(204);
    expect((await see(driver, notice)).status).toBe(204);
    expect(await channelsOf(driver)).toEqual([{ channel: "page" }]);
    await retryNow(driver);
    await passTime(driver, 23.95 * HOUR_MS);
    await followPayments();
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND, RENEWED]);
  });

  it("is none before it was sent, nor once the renewal is off", async () => {
    const driver = await createRenewing();
    const notice = { end: await serviceEndOf(driver), cents: 5022 };
    expect(await renewalOf(driver)).toMatchObject({ notice: null });
    expect(await codeOf(await see(driver, notice))).toBe("conflict");
    await followPayments();
    await lookBeforeEnd(driver, 48.9);
    await putRenewal(driver, { on: false });
    expect(await codeOf(await see(driver, { ...notice, end: await serviceEndOf(driver) }))).toBe("conflict");
    expect(await channelsOf(driver)).toEqual([]);
  });

  it.each([
    ["another end", { end: 1, cents: 5022 }],
    ["another price", { cents: 4000 }],
  ])("is not confirmed for %s", async (_name, change) => {
    const driver = await createNoticed();
    const notice = { end: await serviceEndOf(driver), cents: 5022 };
    const answer = await see(driver, { ...notice, ...change });
    expect([answer.status, await codeOf(answer)]).toEqual([409, "conflict"]);
    expect(await channelsOf(driver)).toEqual([]);
  });

  it("is confirmed by its own driver alone", async () => {
    const driver = await createNoticed();
    const other = await createNoticed();
    await see(other, { end: await serviceEndOf(driver), cents: 5022 });
    expect(await channelsOf(driver)).toEqual([]);
  });

  it("keeps the card from being charged where no channel confirmed it 12 hours before the end", async () => {
    const driver = await createNoticed();
    await env.DB.prepare(`UPDATE sent_texts SET status = 'failed' WHERE account = ?`)
      .bind(driver.driverId)
      .run();
    await lookBeforeEnd(driver, 12.1);
    expect(await renewalOf(driver)).toMatchObject({ status: "on" });
    await lookBeforeEnd(driver, 11.9);
    expect(await renewalOf(driver)).toMatchObject({ status: "paused", pause: "untold" });
    await expect
      .poll(() => textsAbout(driver, "couldn't reach you to say what renewing would cost"))
      .toHaveLength(1);
    await liveThrough(driver);
    expect(await paymentsOf(driver)).toEqual([PAID_BY_HAND]);
    expect(await paymentsOf(driver)).not.toContainEqual(NOT_CHARGED);
  });
});
