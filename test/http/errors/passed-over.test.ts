import { expect, it } from "vitest";
import type { BlockList, LogEntry } from "../../../db/shapes/log/driver-log.ts";
import { DAY_MS, driverId, HOUR_MS, type DriverId } from "../../../db/shapes/units.ts";
import { createDeps } from "../../../durable/deps.ts";
import { blockRoutes } from "../../../worker/routes/work/blocks.ts";
import { idOf, makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { makeAttempt } from "../../engine/parts.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { insertDriver } from "../../support/driver-insert.ts";
import { appWith, callerOf } from "../app-with.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const OTHER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a02");
/** When the driver looks. */
const NOW = NOON + DAY_MS;

const over = makeOffer("over", { payCents: 4_000 });

/** A driver without warehouses, whose log has an offer of 40 and these captures. */
function openPassedOver(
  captures: readonly ReturnType<typeof makeBlock>[],
  givenBack: readonly Record<string, unknown>[] = [],
) {
  const database = migratedDatabase();
  insertDriver(database, { id: DRIVER, humanTimezone: "UTC", proxyInstalled: true });
  insertDriver(database, { id: OTHER, phoneNumber: "+15550100101", name: "Rui", humanTimezone: "UTC" });
  const judged: LogEntry = {
    seq: 1,
    event: { kind: "offer_judged", at: NOON, offer: over, reasons: [], filtersVersion: 1 },
  };
  const won = captures.map((block, index): LogEntry => ({
    seq: 100 - index,
    event: {
      kind: "attempt_settled",
      at: block.acceptedAt,
      attempt: { ...makeAttempt(`a${index}`, makeOffer(`won${index}`)), outcome: { status: "won", block } },
    },
  }));
  const lists: Record<BlockList, LogEntry[]> = { disliked: [judged], won, lost: [] };
  const object = {
    list: async (name: BlockList) => lists[name],
    snapshot: async () => ({ held: [], warehouses: [makeWarehouse()] }),
    heldBlocks: async () =>
      captures.filter(
        ({ blockId, status }) => status === "scheduled" && !givenBack.some((one) => one.blockId === blockId),
      ),
    givenBack: async () => givenBack,
  };
  const env = { ...DEMO_SETTINGS, DB: bindD1(database), DRIVER: { getByName: () => object }, ASSETS: {} };
  const deps = { ...createDeps(env), now: () => NOW };
  return (caller: DriverId = DRIVER) =>
    appWith({ deps, db: deps.db, caller: callerOf(caller) })
      .route("/", blockRoutes)
      .request("/passed-over", {}, env);
}

/** A capture that begins an hour before the offer and overlaps it. */
const beside = makeBlock(
  makeOffer("beside", { startsAt: over.startsAt - HOUR_MS, warehouseId: idOf.warehouse("DNY5") }),
);

it.each([
  ["one that was held", [beside], [], 0],
  ["one that was given back since", [{ ...beside, status: "forfeited" as const }], [], 4_000],
  [
    "one that the platform lists no more",
    [beside],
    [{ ...beside, givenBackAt: NOON, takeAgain: false }],
    4_000,
  ],
  ["none", [], [], 4_000],
])(
  "counts what an offer would have paid beside the captures: %s",
  async (_what, captures, givenBack, payCents) => {
    const response = await openPassedOver(captures, givenBack)();
    expect([response.status, await response.json()]).toMatchObject([
      200,
      { groups: [{ offers: 1, payCents }] },
    ]);
  },
);

it("judges again twelve times a minute, and then says when to come back", async () => {
  const look = openPassedOver([]);
  const answers = [];
  for (let i = 0; i < 13; i++) answers.push(await look(OTHER));
  expect(answers.map(({ status }) => status)).toEqual([...Array.from({ length: 12 }, () => 200), 429]);
  expect(answers.at(-1)?.headers.get("retry-after")).toBe("60");
});
