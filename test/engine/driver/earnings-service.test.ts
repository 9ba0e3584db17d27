import { DatabaseSync } from "node:sqlite";
import { describe, expect, it } from "vitest";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { EarningsService } from "../../../durable/driver/services/earnings-service.ts";
import type { DriverState } from "../../../durable/engine/state/types.ts";
import { openStore } from "../../support/runtime/node-store.ts";
import { activeState, at, NOON } from "../fixtures.ts";

const ZONE = "America/New_York";
const MONDAY = at("2026-06-08T00:00:00-04:00");
const LAST_MONDAY = at("2026-06-01T00:00:00-04:00");
const WEEK_MS = 168 * HOUR_MS;
const UNREACHABLE = { kind: "unreachable" };

type Block = { blockId: string; startsAt: number | null };

/** The service over a platform that pays $10 and $2 of tips for a block of each week, and lists these blocks. */
function open(given: Partial<DriverState> = {}, { hasOwner = true } = {}) {
  let now = NOON;
  const store = openStore(new DatabaseSync(":memory:"), () => now);
  const platform = {
    isDown: false,
    isListing: true,
    blocks: [
      { blockId: "of-this", startsAt: NOON - HOUR_MS },
      { blockId: "of-last", startsAt: LAST_MONDAY },
    ] as Block[],
    calls: [] as string[],
    gate: Promise.resolve(),
  };
  const readEarnings = async ({ from, to }: { from: number; to: number }) => {
    platform.calls.push("earnings");
    await platform.gate;
    if (platform.isDown) return UNREACHABLE;
    expect(to - from).toBe(WEEK_MS);
    const blockId = from === MONDAY ? "of-this" : "of-last";
    const items = [{ blockId, amountCents: 1_000, tipsCents: 200 }];
    return { kind: "earnings", earnings: { currency: "USD", items } };
  };
  const listBlocks = async ({ from, to }: { from: number; to: number }) => {
    platform.calls.push("blocks");
    expect([from, to]).toEqual([LAST_MONDAY, MONDAY + WEEK_MS]);
    return platform.isListing ? { kind: "blocks", blocks: platform.blocks } : UNREACHABLE;
  };
  const service = new EarningsService({
    deps: { now: () => now, platform: { readEarnings, listBlocks } },
    store,
    machine: { owner: hasOwner ? { timeZone: ZONE } : null, state: activeState(given) },
    loop: { request: (call: (token: string) => Promise<unknown>) => call("token") },
  } as unknown as ConstructorParameters<typeof EarningsService>[0]);
  return {
    service,
    platform,
    wait: (ms: number) => {
      now += ms;
    },
  };
}

const NONE = { blocks: 0, cents: 0, tipsCents: 0 };
const ONE = { blocks: 1, cents: 1_000, tipsCents: 200 };

describe("a driver's earnings", () => {
  it("are those of this week and the last, by the day on which each block started", async () => {
    const { service } = open();
    const week = (first: number, paidDay: number | null, month = "06") => ({
      ...ONE,
      days: Array.from({ length: 7 }, (_, day) => ({
        date: `2026-${month}-${String(first + day).padStart(2, "0")}`,
        ...(day === paidDay ? ONE : NONE),
      })),
    });
    expect(await service.fetch()).toEqual({
      currency: "USD",
      today: "2026-06-10",
      timeZone: ZONE,
      thisWeek: week(8, 2),
      lastWeek: week(1, 0),
      asOf: NOON,
      isStale: false,
    });
  });

  it.each<[string, Block[]]>([
    ["is not listed", []],
    ["is listed without its start", [{ blockId: "of-this", startsAt: null }]],
  ])("count a block in its week, but on no day, that %s", async (_name, blocks) => {
    const { service, platform } = open();
    platform.blocks = blocks;
    const thisWeek = (await service.fetch())?.thisWeek;
    expect(thisWeek).toMatchObject(ONE);
    expect(thisWeek?.days.map((day) => day.blocks)).toEqual([0, 0, 0, 0, 0, 0, 0]);
  });

  it("are asked for again after five minutes", async () => {
    const { service, platform, wait } = open();
    await service.fetch();
    wait(5 * MINUTE_MS - 1);
    expect(await service.fetch()).toMatchObject({ asOf: NOON, isStale: false });
    expect(platform.calls).toHaveLength(3);
    wait(1);
    expect(await service.fetch()).toMatchObject({ asOf: NOON + 5 * MINUTE_MS, isStale: false });
    expect(platform.calls).toHaveLength(6);
  });

  it.each(["isDown", "isListing"] as const)(
    "stay known as old ones while the platform does not answer (%s), which is asked twice a minute",
    async (what) => {
      const { service, platform, wait } = open();
      await service.fetch();
      platform[what] = what === "isDown";
      wait(5 * MINUTE_MS);
      const old = { asOf: NOON, isStale: true };
      expect(await service.fetch()).toMatchObject(old);
      wait(MINUTE_MS / 2 - 1);
      expect(await service.fetch()).toMatchObject(old);
      expect(platform.calls).toHaveLength(6);
      platform[what] = what !== "isDown";
      wait(1);
      expect(await service.fetch()).toMatchObject({ isStale: false });
      expect(platform.calls).toHaveLength(9);
    },
  );

  it("are not known before the platform has answered once", async () => {
    const { service, platform } = open();
    platform.isDown = true;
    expect(await service.fetch()).toBeNull();
  });

  it("are asked for once by those who ask at the same time", async () => {
    const { service, platform } = open();
    const [one, other] = await Promise.all([service.fetch(), service.fetch()]);
    expect([platform.calls.length, one]).toEqual([3, other]);
  });

  it("of an account that was unlinked while they were on their way are dropped", async () => {
    const { service, platform } = open();
    const gate = Promise.withResolvers<void>();
    platform.gate = gate.promise;
    const asked = service.fetch();
    service.forget();
    gate.resolve();
    expect(await asked).toBeNull();
    platform.isDown = true;
    expect(await service.fetch()).toBeNull();
  });

  it("are asked for at once by the next account, though the last one's failed", async () => {
    const { service, platform } = open();
    platform.isDown = true;
    await service.fetch();
    service.forget();
    platform.isDown = false;
    expect(await service.fetch()).toMatchObject({ isStale: false });
  });

  it.each<[string, Partial<DriverState>, boolean]>([
    ["nobody is linked", { link: { status: "unlinked" } }, true],
    ["nobody is known", {}, false],
    ["the platform signed the driver out", { link: { status: "signed_out" } }, true],
  ])("are not asked for where %s", async (_name, state, hasOwner) => {
    const { service, platform } = open(state, { hasOwner });
    expect(await service.fetch()).toBeNull();
    expect(platform.calls).toEqual([]);
  });
});
