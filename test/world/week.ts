import { Temporal } from "temporal-polyfill";
import type { DriverClass } from "./load-driver.ts";
import type { LogEntry } from "../../db/shapes/work/driver-log.ts";
import type { Env } from "../../durable/runtime/env.ts";
import { createChance } from "./chance.ts";
import type { SimulatedD1 } from "./d1.ts";
import { Dashboard } from "./dashboard.ts";
import { DriverHand } from "./driver-hand.ts";
import { Faults } from "./faults.ts";
import { enterWorld } from "./globals.ts";
import { ObjectHost, type LateAlarm } from "./host.ts";
import { type ObjectLife } from "./object-life.ts";
import type { SimulatedRequest } from "./http.ts";
import { Network } from "./network.ts";
import { SimulatedPlatform } from "./platform/platform.ts";
import { SETTINGS } from "./settings.ts";
import type { WeekPlan } from "./script.ts";
import { Timeline } from "./timeline.ts";
import { WorkerSide } from "./worker-side.ts";

/** More entries than the busiest week needs: one that takes more runs in circles. */
const MAX_ENTRIES = 400_000;
/** How long a week goes on after its last item, so that all can settle. */
const SAMPLE_MS = 10 * 60_000;

/** Whether the object would wake by itself, at an instant. */
export type AlarmSample = { at: number; isSet: boolean };

/** All that is known of a week after it. */
export type WeekRecord = {
  plan: WeekPlan;
  ended: "done" | "endless";
  platform: SimulatedPlatform;
  network: Network;
  worker: WorkerSide;
  hand: DriverHand;
  alarms: readonly AlarmSample[];
  crashes: readonly number[];
  lateAlarms: readonly LateAlarm[];
  won: readonly LogEntry[];
  lost: readonly LogEntry[];
  /** The driver's log as the export shows it. */
  log: readonly LogEntry[];
  blocksInD1: ReadonlySet<string>;
  /** The remains of the object's state. */
  rowsLeft: number;
  dashboard: Dashboard;
  met: Map<string, number>;
  polls: number;
  /** The errors in the object's own log. */
  errors: readonly string[];
  /** The runtime's bill. */
  billed: {
    alarms: number;
    calls: number;
    handlerMs: number;
    rows: number;
    alarmsSet: number;
    d1Rows: number;
  };
  /** Size of the object's database. */
  bytes: number;
};

function offsetAt(zone: string, at: number): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds;
}

/** Lives through one driver's week. */
export async function runWeek(
  plan: WeekPlan,
  { driverClass, d1 }: { driverClass: DriverClass; d1: SimulatedD1 },
): Promise<WeekRecord> {
  d1.clear();
  const timeline = new Timeline(plan.startsAt);
  const met = new Map<string, number>();
  const meet = (what: string) => void met.set(what, (met.get(what) ?? 0) + 1);
  meet(`quota: ${plan.quota.kind}`);
  if (plan.timeZones.some((zone) => offsetAt(zone, plan.startsAt) !== offsetAt(zone, plan.endsAt)))
    meet("daylight change");
  const errors: string[] = [];
  enterWorld({
    timeline,
    chance: createChance(plan.seed, "object"),
    onError: (line) => {
      errors.push(line);
    },
  });
  const now = () => timeline.now;
  const faults = new Faults(createChance(plan.seed, "faults"), now, meet);
  const platform = new SimulatedPlatform({
    now,
    chance: createChance(plan.seed, "platform"),
    quota: plan.quota,
    refusesOverlaps: plan.refusesOverlaps,
    weeklyLimit: plan.weeklyLimit,
    accessTokenSeconds: plan.accessTokenSeconds,
    warehouses: plan.timeZones.map((timeZone, index) => ({
      warehouseId: `w${index}`,
      name: `Station ${index}`,
      timeZone,
      serviceType: "parcel",
    })),
  });
  const driverId = `driver-${plan.seed}`;
  const chance = createChance(plan.seed, "network");
  const network = new Network({
    timeline,
    chance,
    faults,
    platform,
    host: () => host,
    met: meet,
    drift: plan.drift ?? null,
  });
  const crashes: number[] = [];
  const host: ObjectHost = new ObjectHost({
    timeline,
    chance: createChance(plan.seed, "host"),
    driverClass,
    objectName: `enam:${driverId}`,
    wantsCrash: (moment, step) => {
      const wants = faults.wantsCrash(moment, step);
      if (wants) crashes.push(timeline.now);
      return wants;
    },
    met: meet,
    createEnv: (life: ObjectLife) => createEnv(life),
  });

  function createEnv(life: ObjectLife): Env {
    const bindings = {
      ...SETTINGS,
      POLL_FLOOR_MS: String(plan.pollFloorMs),
      DB: d1.bind((work) => network.trip(life, work)),
      SANDBOX: { fetch: (request: SimulatedRequest) => network.fetch(life, request) },
    };
    // A stand-in is only as much of the bindings as the object uses.
    return bindings as unknown as Env;
  }

  const worker = new WorkerSide({ timeline, d1, host, driverId });
  const dashboard = new Dashboard(host, timeline);
  const hand = new DriverHand({ timeline, plan, platform, host, worker, faults, dashboard, meet, crashes });
  const alarms: AlarmSample[] = [];
  const sample = () => {
    alarms.push({ at: timeline.now, isSet: host.alarm !== null || host.isAlarmRunning });
    timeline.after(SAMPLE_MS, sample);
  };
  timeline.at(plan.startsAt, () => {
    void hand.begin();
    worker.watch();
    sample();
  });
  for (const item of plan.items) timeline.at(item.at, () => hand.perform(item));
  const ended = await timeline.runUntil(plan.endsAt, { maxEntries: MAX_ENTRIES });
  const billed = {
    ...host.billed,
    rows: host.database.rowsChanged,
    alarmsSet: host.database.alarmsSet,
    d1Rows: d1.rowsChanged,
  };
  const { bytes } = host.database;

  let log: LogEntry[] = [];
  let won: LogEntry[] = [];
  let lost: LogEntry[] = [];
  timeline.after(0, () => {
    void (async () => {
      won = await host.call((driver) => driver.list("won", { cursor: Number.MAX_SAFE_INTEGER, limit: 500 }));
      lost = await host.call((driver) =>
        driver.list("lost", { cursor: Number.MAX_SAFE_INTEGER, limit: 500 }),
      );
      log = await host.call((driver) => driver.logPage({ after: 0, limit: 5_000 }));
      await dashboard.open();
    })();
  });
  await timeline.runUntil(plan.endsAt + 10_000, { maxEntries: MAX_ENTRIES + 20_000 });
  const rows = d1.all(`SELECT block_id AS blockId FROM blocks_won WHERE driver_id = ?`, driverId);
  const rowsLeft = host.database.exec(`SELECT key FROM state`, []).length;
  host.close();
  return {
    plan,
    ended,
    platform,
    network,
    worker,
    hand,
    alarms,
    crashes,
    lateAlarms: host.lateAlarms,
    won,
    lost,
    log,
    rowsLeft,
    blocksInD1: new Set(rows.map(({ blockId }) => String(blockId))),
    dashboard,
    met,
    polls: network.wire.filter(({ step }) => step === "poll").length,
    errors,
    billed,
    bytes,
  };
}
