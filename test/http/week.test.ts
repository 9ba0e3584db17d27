import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import type { LogEvent, BlockList, WonPosition } from "../../db/shapes/log/driver-log.ts";
import type { Block, Offer } from "../../db/shapes/work/offer.ts";
import { attemptId, DAY_MS, driverId, HOUR_MS, type EpochMs } from "../../db/shapes/units.ts";
import { createDeps } from "../../durable/deps.ts";
import type { WeekResponse } from "../../worker/contract/work/statistics.ts";
import { weekRoutes } from "../../worker/routes/work/statistics.ts";
import { at, makeBlock, makeOffer, makeWarehouse } from "../engine/fixtures.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { openStore } from "../support/runtime/node-store.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";
import { saveFiltersStatements } from "../../db/queries/work/filters.ts";
import { appWith, callerOf } from "./app-with.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
/** A Sunday: the log begins in the week before the oldest that is shown. */
const NOW = at("2026-06-28T12:00:00-04:00");
const OLDEST = "2026-06-01";
const MINIMUM = 9_500;

/** A driver of months: what their object has in its storage. */
async function openWeeks() {
  const database = migratedDatabase();
  insertDriver(database, { id: DRIVER, humanTimezone: "America/New_York", proxyInstalled: true });
  const store = openStore(new DatabaseSync(":memory:"));
  const object = {
    list: async (name: BlockList, page: { cursor: number; limit: number; before?: EpochMs }) =>
      store.events.list(name, page),
    wonBlocks: async (page: { after: WonPosition; limit: number }) => store.wonBlocks.page(page),
    heldBlocks: async () => store.heldBlocks.list().map(({ block }) => block),
    listingPage: async () => [],
    snapshot: async () => ({ held: [], warehouses: [makeWarehouse()] }),
    givenBack: async () => [],
  };
  const env = { ...DEMO_SETTINGS, DB: bindD1(database), DRIVER: { getByName: () => object }, ASSETS: {} };
  const deps = { ...createDeps(env), log: () => {}, now: () => NOW };
  const filters = permissiveFilters([
    permissiveWarehouseFilter(makeWarehouse().warehouseId, { minPriceCents: MINIMUM }),
  ]);
  const save = { filters, version: 0, saveId: "first", listed: null };
  await deps.db.batch(saveFiltersStatements(deps.db, DRIVER, save));
  const app = appWith({ deps, db: deps.db, caller: callerOf(DRIVER) }).route("/", weekRoutes);
  const append = (...events: LogEvent[]) => store.events.append(events);
  return {
    store,
    skip: (seenAt: EpochMs, offer: Offer) =>
      append({ kind: "offer_judged", at: seenAt, offer, reasons: [{ code: "other" }], filtersVersion: 1 }),
    /** Captured, and held from then on. */
    capture: (block: Block) => {
      const attempt = {
        attemptId: attemptId.parse(`attempt-${block.blockId}`),
        offer: { ...makeOffer("any"), ...block, surge: false },
        place: null,
        payAtLeastCents: 1,
        createdAt: block.acceptedAt,
        endedAt: block.acceptedAt,
        outcome: { status: "won", block } as const,
      };
      const [entry] = append({ kind: "attempt_settled", at: block.acceptedAt, attempt });
      store.wonBlocks.add({ attemptId: attempt.attemptId, block }, entry?.seq ?? 0);
      store.heldBlocks.follow([block], { isWhole: false, now: block.acceptedAt });
    },
    readWeek: async (date: string): Promise<WeekResponse> => {
      const response = await app.request(`/?date=${date}`, {}, env);
      expect(response.status).toBe(200);
      return response.json();
    },
  };
}

const offered = (name: string, startsAt: EpochMs, payCents: number) =>
  makeOffer(name, { startsAt, endsAt: startsAt + 3 * HOUR_MS, payCents });
const captured = (name: string, startsAt: EpochMs) =>
  makeBlock(offered(name, startsAt, 9_600), { acceptedAt: startsAt - HOUR_MS });

const WEDNESDAY = at("2026-06-03T12:00:00-04:00");

it("a week of before names its best change however many offers were skipped since", async () => {
  const { skip, readWeek } = await openWeeks();
  skip(WEDNESDAY - HOUR_MS, offered("then", WEDNESDAY, 9_200));
  for (let count = 0; count < 2_100; count += 1)
    skip(NOW - 10 * DAY_MS + count * 60_000, offered(`since-${count}`, NOW - 5 * DAY_MS, 100));
  expect((await readWeek(OLDEST)).best).toMatchObject({ offers: 1, payCents: 9_200 });
});

it("the oldest week is compared with all captures of the one before, of which the log has a part", async () => {
  const { store, capture, readWeek } = await openWeeks();
  for (const days of [9, 8, 4]) capture(captured(`b${days}`, WEDNESDAY - days * DAY_MS + 2 * HOUR_MS));
  capture(captured("own", WEDNESDAY));
  store.prune(NOW);
  const { figures, before } = await readWeek(OLDEST);
  expect([figures.captured.blocks, before?.captured.blocks, before?.worked.blocks]).toEqual([1, 3, 3]);
});

it("a week has room where a block was given back before it began", async () => {
  const { store, capture, skip, readWeek } = await openWeeks();
  const kept = captured("kept", WEDNESDAY - DAY_MS);
  capture(kept);
  capture(captured("returned", WEDNESDAY));
  store.heldBlocks.follow([kept], { isWhole: true, now: WEDNESDAY - HOUR_MS / 2 });
  skip(kept.startsAt - 2 * HOUR_MS, offered("beside-the-kept", kept.startsAt, 9_300));
  skip(WEDNESDAY - 2 * HOUR_MS, offered("at-its-time", WEDNESDAY, 9_200));
  expect((await readWeek(OLDEST)).best).toMatchObject({ offers: 1, payCents: 9_200 });
});
