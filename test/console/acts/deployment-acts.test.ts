import { beforeEach, describe, expect, it } from "vitest";
import { listSales } from "../../../db/queries/operators/deployment.ts";
import { actOnDeployment } from "../../../worker/console/deployment-acts.ts";
import { actOnDriver } from "../../../worker/console/driver-acts.ts";
import { listErrors, listOperatorAnnouncements } from "../../../worker/console/voice.ts";
import type { DeploymentAct, DriverAct } from "../../../worker/contract/console/operator-acts.ts";
import { ApiError } from "../../../worker/http/errors/api-error.ts";
import { DAY_MS, HOUR_MS, NOW } from "../../payments/checkout-harness.ts";
import { ANA, BIA, openDesk, reason, type Desk } from "../desk.ts";

let at: Desk;
beforeEach(() => {
  at = openDesk();
});

const actOnAll = (input: DeploymentAct, context = at.as("owner")) =>
  actOnDeployment(context, crypto.randomUUID(), input);
const actOnAna = (input: DriverAct) =>
  actOnDriver(at.as("owner"), { driverId: ANA, id: crypto.randomUUID() }, input);
/** The code of a refusal with the fields that it names. */
async function refusalOf(answer: Promise<unknown>): Promise<unknown> {
  const error: unknown = await answer.catch((thrown: unknown) => thrown);
  return error instanceof ApiError ? [error.code, error.details.fields] : error;
}
/** An act's line of the log, before and after. */
const changeOf = async (answer: ReturnType<typeof actOnAll>) => {
  const { act } = await answer;
  return [act.before, act.after];
};

const announcement: DeploymentAct = {
  act: "announce",
  en: "Rain",
  es: "Lluvia",
  pt: "Chuva",
  audience: "all",
  audienceOf: null,
  startsAt: NOW,
  endsAt: NOW + 1,
  reason,
};
const price: DeploymentAct = {
  act: "list_price",
  plan: "7days",
  priceCents: 4_986,
  startsAt: null,
  reason,
};
const special: DriverAct = {
  act: "special_price",
  plan: "7days",
  priceCents: 4_986,
  endsAt: NOW + 1,
  reason,
};

describe("a refusal names what is wrong", () => {
  it.each<[DeploymentAct, object]>([
    [{ ...announcement, endsAt: NOW }, { endsAt: "too_small" }],
    [{ ...announcement, startsAt: NOW + 2, endsAt: NOW + 2 }, { endsAt: "too_small" }],
    [{ ...price, priceCents: 4_987 }, { priceCents: "invalid" }],
    [{ ...price, startsAt: NOW }, { startsAt: "too_small" }],
    [{ ...price, priceCents: 49 }, { priceCents: "too_small" }],
  ])("in %j", async (input, fields) => {
    expect(await refusalOf(actOnAll(input))).toEqual(["invalid_request", fields]);
    expect(at.rows(`SELECT id FROM operator_acts`)).toEqual([]);
  });

  it.each<[DriverAct, object]>([
    [{ ...special, endsAt: NOW }, { endsAt: "too_small" }],
    [{ ...special, priceCents: 4_987 }, { priceCents: "too_large" }],
    [{ ...special, priceCents: 49 }, { priceCents: "too_small" }],
    [{ act: "days", days: -1, reason }, { days: "too_large" }],
  ])("in %j of a driver", async (input, fields) => {
    expect(await refusalOf(actOnAna(input))).toEqual(["invalid_request", fields]);
    expect(at.rows(`SELECT id FROM operator_acts`)).toEqual([]);
  });
});

it("an announcement and a price just within their bounds are made", async () => {
  await actOnAll(announcement);
  expect((await listOperatorAnnouncements(at.as("one"))).announcements).toMatchObject([
    { text: { en: "Rain", es: "Lluvia", pt: "Chuva" }, audience: { kind: "all" }, endsAt: NOW + 1 },
  ]);
  expect(await changeOf(actOnAll(price))).toEqual([
    expect.objectContaining({ priceCents: 4_987 }),
    expect.objectContaining({ priceCents: 4_986 }),
  ]);
});

it("sales of several plans hold beside each other, and each ends by itself", async () => {
  const sale = { act: "sale", startsAt: NOW, endsAt: NOW + DAY_MS, reason } as const;
  await actOnAll({ ...sale, plan: "7days", priceCents: 4_000 });
  await actOnAll({ ...sale, plan: "14days", priceCents: 7_000 });
  const sales = async () =>
    (await listSales(at.checkout.db, { currency: "USD", now: at.clock.now })).map(({ id, plan }) => [
      id,
      plan,
    ]);
  const [first, second] = await sales();
  expect([first?.[1], second?.[1], first?.[0] === second?.[0]]).toEqual(["7days", "14days", false]);
  await actOnAll({ act: "end_sale", saleId: String(first?.[0]), reason });
  expect(await sales()).toEqual([second]);
});

it("days are added to those that are unused, and taken from them", async () => {
  const until = (days: number) => ({ serviceUntil: NOW + days * DAY_MS });
  expect(await changeOf(actOnAna({ act: "days", days: 3, reason }))).toEqual([
    { serviceUntil: null },
    until(3),
  ]);
  expect(await changeOf(actOnAna({ act: "days", days: 2, reason }))).toEqual([until(3), until(5)]);
  expect(await changeOf(actOnAna({ act: "days", days: -4, reason }))).toEqual([until(5), until(1)]);
});

it("an error is resolved and opened again, each once", async () => {
  at.run(
    `INSERT INTO error_groups (id, caller, name, reports, drivers, first_seen_at, last_seen_at, request_id)
      VALUES ('e', 'error_page', 'TypeError', 1, 0, ?, ?, 'r'), ('other', 'error_page', 'TypeError', 1, 0, ?, ?, 'r')`,
    NOW,
    NOW,
    NOW,
    NOW,
  );
  const statuses = async () =>
    Object.fromEntries((await listErrors(at.as("one"))).errors.map(({ id, status }) => [id, status]));
  const act = (name: "resolve_error" | "reopen_error") => actOnAll({ act: name, errorId: "e", reason });
  expect(await refusalOf(act("reopen_error"))).toEqual(["conflict", undefined]);
  expect(await changeOf(act("resolve_error"))).toEqual([
    { error: "TypeError", isOpen: true },
    { isOpen: false },
  ]);
  expect(await statuses()).toEqual({ e: "resolved", other: "open" });
  expect(await refusalOf(act("resolve_error"))).toEqual(["conflict", undefined]);
  expect(await changeOf(act("reopen_error"))).toEqual([
    { error: "TypeError", isOpen: false },
    { isOpen: true },
  ]);
  expect(await statuses()).toEqual({ e: "open", other: "open" });
});

describe("a first limit of a city", () => {
  const limit = (city: string, more: object = {}): DeploymentAct => ({
    act: "city_spots",
    city,
    spots: 50,
    reason,
    ...more,
  });
  const limits = () => at.rows(`SELECT city, spots FROM city_spots ORDER BY city`);

  it("is refused where no driver is in it, unless that is meant", async () => {
    at.run(
      `INSERT INTO spots (driver_id, city, status, since, check_at) VALUES (?, 'Reno', 'left', 0, 0)`,
      ANA,
    );
    expect(await refusalOf(actOnAll(limit("Renno")))).toEqual(["invalid_request", { city: "invalid" }]);
    expect([limits(), at.rows(`SELECT id FROM operator_acts`)]).toEqual([[], []]);
    await actOnAll(limit("Reno"));
    await actOnAll(limit("Boise", { isNewCity: true }));
    expect(limits()).toEqual([
      { city: "Boise", spots: 50 },
      { city: "Reno", spots: 50 },
    ]);
  });

  it("is asked about, no later one and none that is taken away", async () => {
    await actOnAll(limit("Boise", { spots: null }));
    await actOnAll(limit("Boise", { isNewCity: true }));
    await actOnAll(limit("Boise", { spots: 7 }));
    expect(limits()).toEqual([{ city: "Boise", spots: 7 }]);
    await actOnAll(limit("Boise", { spots: null }));
    expect(limits()).toEqual([]);
  });
});

it("every session ends, and those that had ended stay as they were", async () => {
  for (const [id, whose, revokedAt] of [
    ["one", ANA, null],
    ["two", BIA, null],
    ["three", BIA, NOW - HOUR_MS],
  ] as const)
    at.run(
      `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at, revoked_at) VALUES (?, ?, ?, ?, ?)`,
      id,
      whose,
      NOW - DAY_MS,
      NOW + DAY_MS,
      revokedAt,
    );
  expect(await changeOf(actOnAll({ act: "end_sessions", reason }))).toEqual([
    { sessions: 2 },
    { sessions: 0 },
  ]);
  expect(at.rows(`SELECT origin_jti AS id, revoked_at AS at FROM pool_sessions ORDER BY rowid`)).toEqual([
    { id: "one", at: NOW },
    { id: "two", at: NOW },
    { id: "three", at: NOW - HOUR_MS },
  ]);
});

it("a restored database is followed, and its renewals wait until an owner lets them go on", async () => {
  let heldSince: number | null = null;
  const record = {
    holdRenewals: async (now: number) => {
      heldSince = now;
    },
    renewalsHeldSince: async () => heldSince,
    releaseRenewals: async () => {
      heldSince = null;
    },
    listErasures: async () => [{ id: BIA, at: NOW + 1 }],
    listRenewalsOff: async () => [],
  };
  const context = at.as("owner");
  const deps = {
    ...context.deps,
    restoreRecord: () => record as never,
    watchers: { all: () => [] } as never,
  };
  const inRestore = { ...context, deps };
  expect(await changeOf(actOnAll({ act: "after_restore", reason }, inRestore))).toEqual([
    { drivers: 2, strangers: 0, returned: 1, renewedAgain: 0 },
    { drivers: 1, strangers: 0, returned: 0, renewedAgain: 0, renewalsHeld: true },
  ]);
  expect(heldSince).toBe(NOW);
  expect(at.rows(`SELECT id FROM users`)).toEqual([{ id: ANA }]);
  expect(await changeOf(actOnAll({ act: "release_renewals", reason }, inRestore))).toEqual([
    { heldSince: NOW },
    { heldSince: null },
  ]);
  expect(heldSince).toBeNull();
});

it("keys are revoked, or rotate before their time", async () => {
  const add = (generation: number) =>
    at.run(
      `INSERT INTO pool_signing_keys (key_use, generation, kid, private_key, modulus, created_at, rotates_at)
        VALUES ('access', ?, ?, 'sealed', 'n', ?, ?)`,
      generation,
      `key-${generation}`,
      NOW,
      NOW + DAY_MS,
    );
  const keys = () =>
    at.rows(`SELECT rotates_at AS rotatesAt, revoked_at AS revokedAt FROM pool_signing_keys`);
  add(1);
  expect(await changeOf(actOnAll({ act: "rotate_keys", reason }))).toEqual([
    { keys: 1 },
    { keys: 1, rotates: true },
  ]);
  expect(keys()).toEqual([{ rotatesAt: 0, revokedAt: null }]);
  expect(await changeOf(actOnAll({ act: "revoke_keys", reason }))).toEqual([{ keys: 1 }, { keys: 0 }]);
  expect(keys()).toEqual([{ rotatesAt: 0, revokedAt: NOW }]);
});
