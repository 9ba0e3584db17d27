import { env, SELF } from "cloudflare:test";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { beforeEach, expect, it } from "vitest";
import { drawWinners, ticketOf } from "../../../db/shapes/money/raffle.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import type { Raffle, RafflesResponse } from "../../../worker/contract/money/raffles.ts";
import { apiTarget, resetPlatform } from "../harness.ts";
import {
  createPayer,
  createPreparedPayment,
  fetchPayment,
  fetchTexts,
  payIntent,
  followPayments,
} from "../payments-harness.ts";

beforeEach(() => resetPlatform());

const raffleOf = async (id: string) => {
  const response = await SELF.fetch(`${apiTarget.origin}/status/raffles/${id}`);
  return response.json<Raffle>();
};

it("a raffle is public from the start, and its draw with everything that checks it", async () => {
  const now = Date.now();
  const seed = "a seed that nobody has seen";
  await env.DB.prepare(
    `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash, prize) VALUES ('fair', '14days', ?, ?, 1, ?, ?)`,
  )
    .bind(now - DAY_MS, now + DAY_MS, await sha256Hex(seed), JSON.stringify({ en: "A", es: "B", pt: "C" }))
    .run();
  const driver = await createPayer();
  const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "14days" });
  await payIntent(intentId);
  await fetchPayment(driver, paymentId);

  expect(await raffleOf("fair")).toEqual({
    id: "fair",
    plan: "14days",
    startsAt: now - DAY_MS,
    endsAt: now + DAY_MS,
    winners: 1,
    prize: { en: "A", es: "B", pt: "C" },
    seedHash: await sha256Hex(seed),
    hasBeacon: false,
    closing: null,
    entries: 1,
    isCompensated: false,
    draw: null,
  });
  const ticket = await ticketOf({ promotionId: "fair", paymentId, driverId: driver.driverId });
  const own = () => driver.client.fetchJson<RafflesResponse>("GET", "/flex/v1/raffles");
  expect((await own()).raffles).toMatchObject([{ entries: [ticket.entry], isDrawn: false, hasWon: false }]);

  // The writes of the operator's program.
  await env.DB.batch([
    env.DB.prepare(`INSERT INTO raffle_tickets VALUES ('fair', ?, ?, 1)`).bind(ticket.entry, ticket.holder),
    env.DB.prepare(`INSERT INTO driver_news VALUES ('raffle:fair', ?, 'raffle_won', 'fair', NULL, 0)`).bind(
      driver.driverId,
    ),
    env.DB.prepare(`UPDATE promotions SET closed_at = 1, seed = ? WHERE id = 'fair'`).bind(seed),
  ]);
  const { draw, seedHash, winners } = await raffleOf("fair");
  if (!draw) throw new Error("not drawn");
  expect(await sha256Hex(draw.seed)).toBe(seedHash);
  expect(await drawWinners({ seed: draw.seed, signature: null, tickets: draw.tickets, winners })).toEqual(
    draw.winners,
  );
  expect((await own()).raffles).toMatchObject([{ isDrawn: true, hasWon: true }]);
  await followPayments();
  await expect.poll(async () => (await fetchTexts(driver))[0]).toContain("/raffle/fair");
});

it("knows the entries of a driver in a raffle that is drawn late, to which the winner's text leads", async () => {
  const [now, driver] = [Date.now(), await createPayer()];
  const { paymentId } = await createPreparedPayment(driver, { plan: "14days" });
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('late', '14days', ?, ?, 1, 'x')`,
    ).bind(now - 80 * DAY_MS, now - 70 * DAY_MS),
    env.DB.prepare(
      `INSERT INTO raffle_entries (promotion_id, payment_id, driver_id, at) VALUES ('late', ?, ?, 1)`,
    ).bind(paymentId, driver.driverId),
  ]);
  const { entry } = await ticketOf({ promotionId: "late", paymentId, driverId: driver.driverId });
  const { raffles } = await driver.client.fetchJson<RafflesResponse>("GET", "/flex/v1/raffles");
  expect(raffles).toMatchObject([{ id: "late", entries: [entry] }]);
});

it("answers 404 for a raffle that does not exist, and says nothing of others' entries", async () => {
  const response = await SELF.fetch(`${apiTarget.origin}/status/raffles/none`);
  expect(response.status).toBe(404);
  const driver = await createPayer();
  expect(await driver.client.fetchJson("GET", "/flex/v1/raffles")).toEqual({ raffles: [] });
});
