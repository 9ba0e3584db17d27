import { Temporal } from "temporal-polyfill";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import {
  decodeListing,
  isLastPage,
  storedListing,
  type ListingChange,
} from "../../../db/shapes/log/listing.ts";
import { parseVersioned } from "../../../db/shapes/versioned.ts";
import type { Env } from "../../../durable/runtime/env.ts";
import { createChance } from "../chance.ts";
import type { SimulatedD1 } from "../host/d1.ts";
import { Dashboard } from "./dashboard.ts";
import { DriverHand } from "./driver-hand.ts";
import { Faults } from "../faults.ts";
import { ObjectHost, type LateAlarm } from "../host/host.ts";
import type { SimulatedRequest } from "../host/http.ts";
import type { DriverClass } from "./load-driver.ts";
import { Network } from "../host/network.ts";
import type { ObjectLife } from "./object-life.ts";
import { SimulatedTicker } from "../host/ticker.ts";
import { SimulatedPlatform } from "../platform/platform.ts";
import type { WeekPlan } from "../script.ts";
import type { Timeline } from "../timeline.ts";
import { WorkerSide } from "../host/worker-side.ts";

/** How often it is looked whether the object would wake by itself. */
const SAMPLE_MS = 10 * 60_000;
/** More entries than a log or a list of a driver has in a week. */
const WHOLE_LOG = 100_000;

/** Whether the object would wake by itself, at an instant. */
export type AlarmSample = { at: number; isSet: boolean };

/** All that is known of a driver's part of a world after it. */
export type DriverRecord = {
  plan: WeekPlan;
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
  /** The platform's listings, as the object kept them. */
  listings: readonly ListingChange[];
  daysInD1: ReadonlyMap<number, number>;
  /** Days with lost time as D1 has them, and the ledger's entries for them. */
  lostDays: readonly { date: string; lostMs: number; givenMs: number }[];
  outageCredits: readonly { source: string; durationMs: number }[];
  /** The remains of the object's state. */
  rowsLeft: number;
  dashboard: Dashboard;
  met: Map<string, number>;
  polls: number;
  /** The runtime's bill. */
  billed: {
    alarms: number;
    calls: number;
    handlerMs: number;
    rows: number;
    alarmsSet: number;
    d1Rows: number;
    /** Statements of the object, those of batches each. */
    d1Statements: number;
  };
  /** Size of the object's database. */
  bytes: number;
};

type LifeDeps = {
  timeline: Timeline;
  d1: SimulatedD1;
  driverClass: DriverClass;
  /** The deployment's. */
  settings: Readonly<Record<string, string>>;
  phoneNumber?: string;
};

/**
 * Puts one driver with their object, platform, network and Worker into a world, and their script on its timeline.
 * `readAtEnd` begins to read what the object knows; once some seconds have passed, the function that it returns has it.
 */
export function openDriverLife(
  plan: WeekPlan,
  { timeline, d1, driverClass, settings, phoneNumber = "+15550100144" }: LifeDeps,
): { readAtEnd: () => () => DriverRecord } {
  const met = new Map<string, number>();
  const meet = (what: string) => void met.set(what, (met.get(what) ?? 0) + 1);
  meet(`quota: ${plan.quota.kind}`);
  if (plan.timeZones.some((zone) => offsetAt(zone, plan.startsAt) !== offsetAt(zone, plan.endsAt)))
    meet("daylight change");
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
  let d1Statements = 0;
  const host: ObjectHost = new ObjectHost({
    timeline,
    chance: createChance(plan.seed, "host"),
    driverClass,
    objectName: `${plan.region ?? "enam"}:${driverId}`,
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
      ...settings,
      POLL_FLOOR_MS: String(plan.pollFloorMs),
      TICKERS: plan.tickerEnds ? "1" : "0",
      DB: d1.bind(
        (work) => network.trip(life, work),
        () => {
          d1Statements += 1;
        },
      ),
      TICK: ticker,
      SANDBOX: { fetch: (request: SimulatedRequest) => network.fetch(life, request) },
    };
    // A stand-in is only as much of the bindings as the object uses.
    return bindings as unknown as Env;
  }

  const ticker = new SimulatedTicker(timeline, () => host);
  for (const at of plan.tickerEnds ?? []) timeline.at(at, () => ticker.stop());
  const worker = new WorkerSide({ timeline, d1, host, driverId });
  const dashboard = new Dashboard(host, timeline);
  const hand = new DriverHand({
    timeline,
    plan,
    platform,
    host,
    worker,
    faults,
    dashboard,
    meet,
    crashes,
    phoneNumber,
  });
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

  return { readAtEnd };

  function readAtEnd(): () => DriverRecord {
    const billed = {
      ...host.billed,
      rows: host.database.billedRows.total,
      rowsByTable: Object.fromEntries(host.database.billedRows.byTable),
      alarmsSet: host.database.alarmsSet,
      d1Rows: d1.billedRows.total,
      d1RowsByTable: Object.fromEntries(d1.billedRows.byTable),
      d1Statements,
    };
    const { bytes } = host.database;
    let log: LogEntry[] = [];
    let won: LogEntry[] = [];
    let lost: LogEntry[] = [];
    let listings: ListingChange[] = [];
    const whole = { cursor: Number.MAX_SAFE_INTEGER, limit: WHOLE_LOG };
    timeline.after(0, () => {
      void (async () => {
        won = await host.call((driver) => driver.list("won", whole));
        lost = await host.call((driver) => driver.list("lost", whole));
        log = await host.call((driver) => driver.logPage({ after: 0, limit: WHOLE_LOG }));
        const pageAfter = (after: number) =>
          host.call((driver) => driver.listingPage({ after, limit: WHOLE_LOG }));
        let rows = await pageAfter(0);
        const read = [...rows];
        while (!isLastPage(rows, WHOLE_LOG)) {
          rows = await pageAfter(rows.at(-1)?.at ?? 0);
          read.push(...rows);
        }
        listings = read.flatMap(({ version, value }) =>
          decodeListing(parseVersioned(storedListing, { version, value: JSON.parse(value) })),
        );
        await dashboard.open();
      })();
    });
    return () => {
      const days = d1.all(`SELECT day, blocks FROM won_days WHERE driver_id = ?`, driverId);
      const lostDays = d1.all(`SELECT date, lost_ms, given_ms FROM lost_days WHERE driver_id = ?`, driverId);
      const credits = d1.all(
        `SELECT source, duration_ms FROM service_credits WHERE driver_id = ? AND source LIKE '%:outage:%'`,
        driverId,
      );
      if (lostDays.length > 0) meet("a day with lost time");
      if (credits.length > 0) meet("a day that was given back");
      const rowsLeft = host.database.exec(`SELECT key FROM state`, []).length;
      host.close();
      return {
        plan,
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
        listings,
        rowsLeft,
        daysInD1: new Map(days.map(({ day, blocks }) => [Number(day), Number(blocks)])),
        lostDays: lostDays.map(({ date, lost_ms: lostMs, given_ms: givenMs }) => ({
          date: String(date),
          lostMs: Number(lostMs),
          givenMs: Number(givenMs),
        })),
        outageCredits: credits.map(({ source, duration_ms: durationMs }) => ({
          source: String(source),
          durationMs: Number(durationMs),
        })),
        dashboard,
        met,
        polls: network.wire.filter(({ step }) => step === "poll").length,
        billed,
        bytes,
      };
    };
  }
}

function offsetAt(zone: string, at: number): number {
  return Temporal.Instant.fromEpochMilliseconds(at).toZonedDateTimeISO(zone).offsetNanoseconds;
}
