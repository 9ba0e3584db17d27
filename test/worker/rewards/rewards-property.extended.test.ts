import { env } from "cloudflare:test";
import * as fc from "fast-check";
import { expect, it } from "vitest";
import { readServiceLedger, type ServiceEntry } from "../../../db/queries/payments/service-time.ts";
import { PLAN_DAYS, planForSale } from "../../../db/shapes/money/plans.ts";
import { INVITATION_DAYS } from "../../../db/shapes/money/rewards.ts";
import { DAY_MS, type DriverId } from "../../../db/shapes/units.ts";
import { FRIENDS, step, Town, type Step } from "../rewards-town.ts";

type Row = Record<string, unknown>;
type Entry = ServiceEntry & { driverId: string };

/** The rows of a town's drivers. */
async function loadBooks({ drivers, accounts }: Town) {
  const everyone = JSON.stringify([...drivers, ...[...accounts.values()].flat()]);
  const ofDrivers = (select: string) =>
    env.DB.prepare(`${select} IN (SELECT value FROM json_each(?))`).bind(everyone);
  const [points, service, paid, redeemed, trials] = await env.DB.batch<Row>([
    ofDrivers(`SELECT driver_id AS driverId, source, points FROM point_entries WHERE driver_id`),
    env.DB.prepare(
      `SELECT driver_id AS driverId, source, duration_ms AS durationMs, at FROM service_credits
        WHERE driver_id IN (SELECT value FROM json_each(?)) ORDER BY at, rowid`,
    ).bind(everyone),
    ofDrivers(
      `SELECT driver_id AS driverId, id, plan FROM payments WHERE settled_at IS NOT NULL AND driver_id`,
    ),
    ofDrivers(`SELECT driver_id AS driverId, id, reward FROM reward_redemptions WHERE driver_id`),
    ofDrivers(`SELECT phone_number AS phoneNumber FROM invitations WHERE has_trial = 1 AND inviter_id`),
  ]);
  return {
    points: points?.results ?? [],
    service: (service?.results ?? []).map(({ driverId, source, durationMs, at }): Entry => ({
      driverId: String(driverId),
      source: String(source),
      durationMs: Number(durationMs),
      at: Number(at),
    })),
    paid: paid?.results ?? [],
    redeemed: redeemed?.results ?? [],
    trials: trials?.results ?? [],
  };
}
type Books = Awaited<ReturnType<typeof loadBooks>>;

async function expectSound(town: Town): Promise<void> {
  const books = await loadBooks(town);
  for (const driverId of town.drivers) {
    const balance = books.points
      .filter((entry) => entry["driverId"] === driverId)
      .reduce((total, { points }) => total + Number(points), 0);
    expect(balance).toBeGreaterThanOrEqual(0);
    const entries = books.service.filter((entry) => entry.driverId === driverId);
    expectNetWithinGrants(entries, town.now);
    const invitations = grantsOf(entries, "invitation");
    expect(invitations.length).toBeLessThanOrEqual(driverId === town.drivers[0] ? FRIENDS : 0);
    expect(invitations.every(([, , days]) => Number(days) <= INVITATION_DAYS && Number(days) > 0)).toBe(true);
  }
  const plans = books.redeemed.filter(({ reward }) => reward !== "friend_invitation");
  expect(grantsOf(books.service, "payment")).toEqual(
    books.paid
      .map(({ driverId, id, plan }) => boughtGrant(`payment:${String(id)}`, driverId, plan))
      .toSorted(),
  );
  expect(grantsOf(books.service, "reward")).toEqual(
    plans.map(({ driverId, id, reward }) => boughtGrant(`reward:${String(id)}`, driverId, reward)).toSorted(),
  );
  const spent = books.points.filter(({ source }) => String(source).startsWith("reward:"));
  expect(spent.length).toBe(books.redeemed.length);
  for (const [phoneNumber, accounts] of town.accounts) expectOneTrial(books, { phoneNumber, accounts });
}

/** Changes after a grant never exceed it, and no balance is below zero. */
function expectNetWithinGrants(entries: readonly Entry[], now: number): void {
  const { unusedMs, appliedMs } = readServiceLedger(entries, now);
  expect([...unusedMs.values()].every((ms) => ms >= 0)).toBe(true);
  for (const grant of entries.filter(isGrant)) {
    const net = entries
      .filter(({ source }) => source === grant.source || source.startsWith(`${grant.source}:`))
      .reduce((total, { source }) => total + (appliedMs.get(source) ?? 0), 0);
    expect(net).toBeGreaterThanOrEqual(0);
    expect(net).toBeLessThanOrEqual(grant.durationMs);
  }
}

/** Not what was taken from one, or given back. */
function isGrant({ source }: ServiceEntry): boolean {
  return source.split(":").length === 2;
}

type Grant = [source: string, driverId: string, days: number];

function grantsOf(entries: readonly Entry[], kind: string): Grant[] {
  return entries
    .filter((entry) => isGrant(entry) && entry.source.startsWith(`${kind}:`))
    .map(({ source, driverId, durationMs }): Grant => [source, driverId, durationMs / DAY_MS])
    .toSorted();
}

function boughtGrant(source: string, driverId: unknown, plan: unknown): Grant {
  return [source, String(driverId), PLAN_DAYS[planForSale.parse(plan)]];
}

/** A number is given one trial at most, whose day begins once the account that registers next is on, and for none after it. */
function expectOneTrial(
  { trials, service }: Books,
  { phoneNumber, accounts }: { phoneNumber: string; accounts: readonly DriverId[] },
): void {
  const given = trials.filter((trial) => trial["phoneNumber"] === phoneNumber);
  const credited = service.filter(({ driverId }) => accounts.some((id) => id === driverId));
  expect(given.length).toBeLessThanOrEqual(1);
  expect(credited.map(({ source, driverId, durationMs }) => [source, driverId, durationMs])).toEqual(
    given.map(() => {
      const first = accounts[0] ?? "";
      return [`trial:${first}`, first, DAY_MS];
    }),
  );
}

const GIVEN_AND_REGISTERED: Step[] = [
  { kind: "give", who: 1, number: 0, times: 2 },
  { kind: "give", who: 2, number: 0, times: 1 },
  { kind: "register", number: 0 },
  { kind: "give", who: 2, number: 0, times: 1 },
  { kind: "register", number: 0 },
];

it("keeps every balance at zero or above and credits nothing twice, whatever is paid, refunded, redeemed and given", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
      const town = new Town();
      await town.open();
      for (const one of steps) {
        await town.run(one);
        await expectSound(town);
      }
    }),
    { seed: Number(env.SEED), numRuns: 40, examples: [[GIVEN_AND_REGISTERED]] },
  );
});
