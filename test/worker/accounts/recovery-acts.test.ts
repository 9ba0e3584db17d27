import { createScheduledController, env, SELF } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { Raffle } from "../../../worker/contract/money/raffles.ts";
import worker from "../../../worker/index.ts";
import { actOnAll, operatorClient, OWNER, owner, support } from "../console-harness.ts";
import { callPool, signUpMember } from "../embedded-pool.ts";
import { advanceClock, apiTarget, createDriver, deployment, resetPlatform } from "../harness.ts";
import { rows } from "../payments-harness.ts";

beforeEach(() => resetPlatform());

const pool = operatorClient(OWNER, deployment({ IDENTITY: "embedded" }));
const reason = "A key leaked";
/** A key that is revoked may still be known to an isolate for so long. */
const KNOWN_MS = 31_000;

const isSignedIn = async (AccessToken: string) => (await callPool("GetUser", { AccessToken })).status === 200;

describe("signing keys", () => {
  it("that are revoked open nothing any more, and the session goes on with new ones", async () => {
    const { accessToken, refreshToken } = await signUpMember();
    expect(await isSignedIn(accessToken)).toBe(true);
    expect((await actOnAll(pool, { act: "revoke_keys", reason })).status).toBe(200);
    advanceClock(KNOWN_MS);
    expect(await isSignedIn(accessToken)).toBe(false);
    const renewed = await callPool("GetTokensFromRefreshToken", { RefreshToken: refreshToken });
    expect(renewed.status).toBe(200);
  });

  it("rotate before their time without ending a token: the next ones are made within the hour", async () => {
    const { accessToken } = await signUpMember();
    const generations = async () =>
      rows(
        `SELECT key_use, max(generation) AS newest FROM pool_signing_keys GROUP BY key_use ORDER BY key_use`,
      );
    const before = await generations();
    expect((await actOnAll(pool, { act: "rotate_keys", reason })).status).toBe(200);
    await worker.scheduled(createScheduledController({ cron: "7 * * * *" }), {
      ...env,
      IDENTITY: "embedded",
    });
    expect(await generations()).toEqual(
      before.map(({ key_use, newest }) => ({ key_use, newest: Number(newest) + 1 })),
    );
    advanceClock(KNOWN_MS);
    expect(await isSignedIn(accessToken)).toBe(true);
    // The new ones have their own time: an hour later nothing is made.
    const made = await generations();
    advanceClock(HOUR_MS);
    await worker.scheduled(createScheduledController({ cron: "7 * * * *" }), {
      ...env,
      IDENTITY: "embedded",
    });
    expect(await generations()).toEqual(made);
  });
});

it("signs every driver out, and no session can be renewed", async () => {
  const [one, other] = [await signUpMember(), await signUpMember()];
  expect([await isSignedIn(one.accessToken), await isSignedIn(other.accessToken)]).toEqual([true, true]);
  expect((await actOnAll(support, { act: "end_sessions", reason })).status).toBe(403);
  expect((await actOnAll(pool, { act: "end_sessions", reason })).status).toBe(200);
  advanceClock(KNOWN_MS);
  expect(await rows(`SELECT count(*) AS live FROM pool_sessions WHERE revoked_at IS NULL`)).toEqual([
    { live: 0 },
  ]);
  for (const { accessToken, refreshToken: RefreshToken } of [one, other]) {
    expect(await isSignedIn(accessToken)).toBe(false);
    const renewed = await callPool("GetTokensFromRefreshToken", { RefreshToken });
    expect(renewed.status).toBe(400);
  }
});

describe("a raffle whose seed is lost", () => {
  const compensate = (client = owner) =>
    actOnAll(client, { act: "compensate_raffle", raffle: "lost", points: 300, reason: "The seed is lost" });
  const points = async (driverId: string) =>
    rows(`SELECT points FROM point_entries WHERE driver_id = ? AND source LIKE 'operator:%'`, driverId);

  it("gives each of its drivers points, once, and draws nobody any more", async () => {
    const [twice, once, outsider] = [await createDriver(), await createDriver(), await createDriver()];
    await env.DB.prepare(
      `INSERT OR REPLACE INTO promotions (id, plan, starts_at, ends_at, winners, seed_hash) VALUES ('lost', '14days', 1, ?, 1, ?)`,
    )
      .bind(Date.now() + HOUR_MS, "a".repeat(64))
      .run();
    for (const [index, driver] of [twice, twice, once].entries()) {
      const id = crypto.randomUUID();
      await env.DB.batch([
        env.DB.prepare(
          `INSERT INTO payments (id, driver_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, revision)
           VALUES (?1, ?2, '14days', 'settled', 'USD', 100, 0, 0, 0, 0, 100, 0, ?3, 1)`,
        ).bind(id, driver.driverId, index),
        env.DB.prepare(
          `INSERT INTO raffle_entries (promotion_id, payment_id, driver_id, at) VALUES ('lost', ?1, ?2, 1)`,
        ).bind(id, driver.driverId),
      ]);
    }
    expect((await compensate()).status).toBe(409);
    expect(await points(once.driverId)).toEqual([]);
    await env.DB.prepare(`UPDATE promotions SET ends_at = 2 WHERE id = 'lost'`).run();
    expect((await compensate(support)).status).toBe(403);
    const isCompensated = async () =>
      (await (await SELF.fetch(`${apiTarget.origin}/status/raffles/lost`)).json<Raffle>()).isCompensated;
    expect(await isCompensated()).toBe(false);
    expect((await compensate()).status).toBe(200);
    expect(await isCompensated()).toBe(true);
    expect((await compensate()).status).toBe(409);
    expect([
      await points(twice.driverId),
      await points(once.driverId),
      await points(outsider.driverId),
    ]).toEqual([[{ points: 300 }], [{ points: 300 }], []]);
  });
});
