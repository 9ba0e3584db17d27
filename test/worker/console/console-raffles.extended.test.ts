import { env, SELF } from "cloudflare:test";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { openDb } from "../../../db/client.ts";
import { drawEffects, isUndrawnWith, listRaffles } from "../../../db/queries/operators/raffles.ts";
import { drawWinners, entriesHashOf, ticketOf } from "../../../db/shapes/money/raffle.ts";
import { checkDraw } from "../../../web/features/raffle/check-draw.ts";
import type { ActsResponse } from "../../../worker/contract/console/operators.ts";
import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import type { RaffleListResponse } from "../../../worker/contract/console/operator-deployment.ts";
import type { Raffle, RafflesResponse } from "../../../worker/contract/money/raffles.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import { openSeed, sealSeed } from "../../../db/shapes/money/sealed-seed.ts";
import { parseResponse } from "../../support/driver-client.ts";
import { actOnAll, OWNER, type OperatorClient, owner, support } from "../console-harness.ts";
import { apiTarget, resetPlatform } from "../harness.ts";
import {
  createPayer,
  createPreparedPayment,
  fetchPayment,
  fetchTexts,
  closeRaffle,
  passBeaconRound,
  payIntent,
  rows,
  followPayments,
  setBeacon,
} from "../payments-harness.ts";

const reason = "a test of the house";
const SEED = "a seed that nobody has seen";
const PASSPHRASE = "correct horse battery";

let seedHash: string;

beforeAll(async () => {
  await resetPlatform();
  seedHash = await sha256Hex(SEED);
});
beforeEach(async () => {
  await resetPlatform();
  await setBeacon("fair");
});

type NewRaffle = Extract<DeploymentAct, { act: "raffle" }>;
const newRaffle = (id: string, change: Partial<NewRaffle> = {}): NewRaffle => ({
  act: "raffle",
  raffle: id,
  plan: "14days",
  startsAt: Date.now() - DAY_MS,
  endsAt: Date.now() + DAY_MS,
  winners: 1,
  prize: { en: "A bike", es: "Una bici", pt: "Uma bicicleta" },
  seedHash,
  sealedSeed: null,
  reason,
  ...change,
});
const log = async () => (await parseResponse<ActsResponse>(await owner.call("GET", "/acts"), "log")).acts;
const raffles = async (client: OperatorClient) =>
  (await parseResponse<RaffleListResponse>(await client.call("GET", "/raffles"), "raffles")).raffles;
const published = async (id: string) =>
  (await SELF.fetch(`${apiTarget.origin}/status/raffles/${id}`)).json<Raffle>();
async function enter() {
  const driver = await createPayer();
  const { intentId, paymentId } = await createPreparedPayment(driver, { plan: "14days" });
  await payIntent(intentId);
  await fetchPayment(driver, paymentId);
  return { driver, intentId, paymentId };
}

describe("a raffle", () => {
  it("is announced, ended and drawn by owners, checked by anybody, and the log has each step", async () => {
    const sealedSeed = await sealSeed(SEED, { passphrase: PASSPHRASE, id: "winter" });
    expect((await actOnAll(owner, newRaffle("winter", { sealedSeed }))).status).toBe(200);
    const { driver } = await enter();
    const other = await enter();
    expect((await raffles(owner)).find(({ id }) => id === "winter")).toMatchObject({
      entries: 2,
      status: "running",
      sealedSeed,
    });
    expect((await raffles(support)).find(({ id }) => id === "winter")?.sealedSeed).toBeNull();
    const draw: DeploymentAct = { act: "draw", raffle: "winter", seed: SEED, reason };
    expect((await actOnAll(owner, draw)).status).toBe(409);
    expect((await actOnAll(owner, { act: "end_raffle", raffle: "winter", reason })).status).toBe(200);
    // A refund before the draw takes its payment out.
    await owner.do(other.driver, {
      act: "refund",
      paymentId: other.paymentId,
      cents: 9062,
      keepsDays: true,
      reason,
    });
    expect((await raffles(owner)).find(({ id }) => id === "winter")).toMatchObject({
      status: "over",
      closing: null,
    });
    expect((await actOnAll(owner, draw)).status).toBe(409);
    await closeRaffle("winter");
    const closed = await published("winter");
    expect(closed).toMatchObject({ entries: 1, hasBeacon: true, draw: null });
    expect((await raffles(owner)).find(({ id }) => id === "winter")).toMatchObject({
      status: "over",
      closing: closed.closing,
    });
    expect((await actOnAll(owner, draw)).status).toBe(409);
    await passBeaconRound("winter");
    const opened = await openSeed(sealedSeed, { passphrase: PASSPHRASE, id: "winter" });
    const drawn = await actOnAll(owner, { ...draw, seed: opened ?? "" });
    expect(drawn.status).toBe(200);
    const raffle = await published("winter");
    if (!raffle.draw) throw new Error("not drawn");
    expect(await sha256Hex(raffle.draw.seed)).toBe(raffle.seedHash);
    expect(raffle.draw.tickets).toHaveLength(1);
    expect(await entriesHashOf(raffle.draw.tickets)).toBe(closed.closing?.entriesHash);
    expect(await checkDraw(raffle, raffle.draw)).toEqual({
      isSeedRight: true,
      // The sandbox plays drand with a key of its own.
      beacon: { areEntriesRight: true, isRoundRight: true, isChainPublic: false },
      areWinnersRight: true,
    });
    const own = await driver.client.fetchJson<RafflesResponse>("GET", "/flex/v1/raffles");
    expect(own.raffles.find(({ id }) => id === "winter")).toMatchObject({
      isDrawn: true,
      drawnAt: expect.any(Number) as number,
      hasWon: true,
    });
    await followPayments();
    await expect.poll(async () => (await fetchTexts(driver))[0]).toContain("/raffle/winter");
    const acts = (await log()).filter(({ what }) => what["raffle"] === "winter");
    expect(acts.map(({ act, operator }) => [act, operator])).toEqual([
      ["draw", OWNER],
      ["end_raffle", OWNER],
      ["raffle", OWNER],
    ]);
    expect(acts[0]).toMatchObject({ before: { entries: 1 }, after: { entries: 1, winners: 1 } });
    // Neither the seed nor what it was sealed as is in the log.
    expect(JSON.stringify(acts)).not.toContain(SEED);
    expect(JSON.stringify(acts)).not.toContain(sealedSeed);
    expect((await actOnAll(owner, draw)).status).toBe(409);
  });

  it("is drawn by its seed and entries of now if it was announced by an earlier release", async () => {
    await actOnAll(owner, newRaffle("early"));
    await env.DB.prepare(`UPDATE promotions SET draw_version = 1 WHERE id = 'early'`).run();
    const { paymentId, driver } = await enter();
    await actOnAll(owner, { act: "end_raffle", raffle: "early", reason });
    await closeRaffle("early");
    expect(await published("early")).toMatchObject({ hasBeacon: false, closing: null });
    expect((await actOnAll(owner, { act: "draw", raffle: "early", seed: SEED, reason })).status).toBe(200);
    const { draw } = await published("early");
    const { driverId } = driver;
    const tickets = [await ticketOf({ promotionId: "early", paymentId, driverId })];
    expect(draw).toEqual({
      seed: SEED,
      signature: null,
      tickets,
      winners: await drawWinners({ seed: SEED, signature: null, tickets, winners: 1 }),
    });
  });

  it("keeps its entries from their closing on, whatever an insider pays, refunds or erases", async () => {
    await actOnAll(owner, newRaffle("kept", { winners: 3 }));
    const [first, second] = [await enter(), await enter()];
    const late = await createPayer();
    const prepared = await createPreparedPayment(late, { plan: "14days" });
    await actOnAll(owner, { act: "end_raffle", raffle: "kept", reason });
    await closeRaffle("kept");
    const closed = await published("kept");
    await owner.do(first.driver, {
      act: "refund",
      paymentId: first.paymentId,
      cents: 9062,
      keepsDays: false,
      reason,
    });
    expect((await second.driver.client.call("DELETE", "/flex/v1/user")).ok).toBe(true);
    await payIntent(prepared.intentId);
    await fetchPayment(late, prepared.paymentId);
    await closeRaffle("kept");
    expect(await published("kept")).toEqual({ ...closed, endsAt: closed.endsAt - 3 * HOUR_MS });
    await passBeaconRound("kept");
    const drawn = await actOnAll(owner, { act: "draw", raffle: "kept", seed: SEED, reason });
    expect(drawn.status).toBe(200);
    const { draw, closing } = await published("kept");
    expect(draw?.winners).toHaveLength(2);
    expect(await entriesHashOf(draw?.tickets ?? [])).toBe(closing?.entriesHash);
    // Of those who won, only they are told who still have an account.
    expect(await rows(`SELECT driver_id FROM driver_news WHERE subject = 'kept' ORDER BY driver_id`)).toEqual(
      [{ driver_id: first.driver.driverId }],
    );
  });

  it.each(["late", "wrong", "other_round", "other_chain", "down", "unreadable"])(
    "waits for an operator's beacon where drand's is %s, and takes only the right one",
    async (behavior) => {
      const id = `beacon-${behavior}`;
      await actOnAll(owner, newRaffle(id));
      await enter();
      await actOnAll(owner, { act: "end_raffle", raffle: id, reason });
      await closeRaffle(id);
      await passBeaconRound(id);
      const round = (await published(id)).closing?.round ?? 0;
      const { signature } = await parseResponse<{ signature: string }>(
        await apiTarget.fetch(`${apiTarget.origin}/sandbox/drand/public/${round}`),
        "drand",
      );
      const { signature: before } = await parseResponse<{ signature: string }>(
        await apiTarget.fetch(`${apiTarget.origin}/sandbox/drand/public/${round - 1}`),
        "drand",
      );
      await setBeacon(behavior);
      const draw: DeploymentAct = { act: "draw", raffle: id, seed: SEED, reason };
      const missing = await actOnAll(owner, draw);
      expect([missing.status, await missing.json()]).toMatchObject([
        400,
        { fields: { signature: "required" } },
      ]);
      const wrong = await actOnAll(owner, { ...draw, signature: before });
      expect([wrong.status, await wrong.json()]).toMatchObject([400, { fields: { signature: "invalid" } }]);
      expect((await published(id)).draw).toBeNull();
      expect((await actOnAll(owner, { ...draw, signature })).status).toBe(200);
      expect((await published(id)).draw).toMatchObject({ signature });
    },
  );

  it("is not drawn from closed entries that somebody changed in the database", async () => {
    await actOnAll(owner, newRaffle("changed"));
    await enter();
    await actOnAll(owner, { act: "end_raffle", raffle: "changed", reason });
    await closeRaffle("changed");
    await passBeaconRound("changed");
    await env.DB.prepare(`UPDATE raffle_tickets SET entry = 'mine' WHERE promotion_id = 'changed'`).run();
    expect((await actOnAll(owner, { act: "draw", raffle: "changed", seed: SEED, reason })).status).toBe(409);
  });

  it("is drawn once by two who draw at once", async () => {
    await actOnAll(owner, newRaffle("twice"));
    await enter();
    await actOnAll(owner, { act: "end_raffle", raffle: "twice", reason });
    await closeRaffle("twice");
    await passBeaconRound("twice");
    const draw: DeploymentAct = { act: "draw", raffle: "twice", seed: SEED, reason };
    const answers = await Promise.all([actOnAll(owner, draw), actOnAll(owner, draw)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(await rows(`SELECT * FROM raffle_tickets WHERE promotion_id = 'twice'`)).toHaveLength(1);
    expect(
      (await log()).filter(({ act, what }) => act === "draw" && what["raffle"] === "twice"),
    ).toHaveLength(1);
  });

  it("is not drawn from entries that a payment or a refund has changed since they were read", async () => {
    await actOnAll(owner, newRaffle("moving"));
    const { paymentId } = await enter();
    const db = openDb(env.DB);
    const id = "moving";
    const draw = { id, seed: SEED, signature: null, tickets: [], winners: [], now: Date.now() };
    for (const ids of [[], [paymentId, "another"]]) {
      const [first, ...rest] = drawEffects(db, isUndrawnWith(id, ids), draw);
      if (first) await db.batch([first, ...rest]);
      expect((await listRaffles(db, 50)).find((raffle) => raffle.id === id)?.isDrawn).toBe(false);
    }
  });

  it.each<[string, Partial<NewRaffle>, string]>([
    ["ends before it begins", { endsAt: 1000 }, "endsAt"],
    ["has no winner", { winners: 0 }, "winners"],
    ["has no fingerprint", { seedHash: "x" }, "seedHash"],
    ["has an id that is no path", { raffle: "a/b" }, "raffle"],
    ["carries a seed in clear text", { sealedSeed: SEED }, "sealedSeed"],
  ])("is refused where it %s", async (_name, change, field) => {
    const refused = await actOnAll(owner, newRaffle("refused", change));
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { fields: { [field]: expect.any(String) } },
    ]);
  });

  it("has an id of its own, and its own seed", async () => {
    await actOnAll(owner, newRaffle("one"));
    expect((await actOnAll(owner, newRaffle("one"))).status).toBe(400);
    await actOnAll(owner, { act: "end_raffle", raffle: "one", reason });
    expect((await actOnAll(owner, { act: "end_raffle", raffle: "one", reason })).status).toBe(409);
    await closeRaffle("one");
    await passBeaconRound("one");
    const wrong = await actOnAll(owner, { act: "draw", raffle: "one", seed: "another", reason });
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { fields: { seed: "invalid" } }]);
    expect((await actOnAll(owner, { act: "draw", raffle: "none", seed: SEED, reason })).status).toBe(404);
    expect((await published("one")).draw).toBeNull();
  });

  it.each<DeploymentAct>([
    newRaffle("theirs", { seedHash: "0".repeat(64) }),
    { act: "end_raffle", raffle: "one", reason },
    { act: "draw", raffle: "one", seed: SEED, reason },
  ])("is not for support: $act", async (act) => {
    expect((await actOnAll(support, act)).status).toBe(403);
  });
});
