import { openDb } from "../../../db/client.ts";
import { saveFleetReports } from "../../../db/queries/fleet/reports.ts";
import {
  DEFAULT_NOTIFICATION_PREFERENCES,
  DEFAULT_REMINDER_PREFERENCES,
} from "../../../db/shapes/notifications.ts";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { driverId } from "../../../db/shapes/units.ts";
import { FleetReporter } from "../../../durable/driver/logs/fleet-reporter.ts";
import { initialState } from "../../../durable/engine/initial-state.ts";
import type { DriverState, MachineEvent } from "../../../durable/engine/state/types.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import type { StoredCounts } from "../../../durable/driver/storage/stored-shapes.ts";
import { makeProfile, NOON, SETTINGS } from "../fixtures.ts";
import type { MachineStep } from "../../../durable/driver/machine-step.ts";
import { insertDriver } from "../../support/driver-insert.ts";

export const someone = driverId.parse("driver-1");
export const owner: DriverOwner = {
  driverId: someone,
  phoneNumber: "+15550100100",
  language: "en",
  timeZone: "America/New_York",
  notifications: DEFAULT_NOTIFICATION_PREFERENCES,
  reminders: DEFAULT_REMINDER_PREFERENCES,
};

/** A driver's reporter over a database of its own, by a clock that the test moves. */
export function openReporter() {
  const database = migratedDatabase();
  // Reports of a driver without a record are not stored.
  insertDriver(database, { id: someone, switchedOn: true, proxyInstalled: true });
  const clock = { now: NOON };
  const failing = { isDown: false, trips: 0 };
  const binding = bindD1(database, async (work) => {
    failing.trips += 1;
    if (failing.isDown) throw new Error("D1 is down");
    return work();
  });
  const db = openDb(binding);
  const logged: string[] = [];
  let kept: StoredCounts | null = null;
  let keptWrites = 0;
  const stored = {
    fleetCounts: () => kept,
    write: (_field: string, value: unknown) => {
      kept = value as StoredCounts | null;
      keptWrites += 1;
    },
  };
  const make = () =>
    new FleetReporter({
      stored,
      send: (report) => saveFleetReports(db, [report]),
      now: () => clock.now,
      log: (_level, event) => logged.push(event),
      settings: SETTINGS,
    });
  let reporter = make();
  const start = changes(database);
  return {
    clock,
    failing,
    logged,
    rows: (query: string) => database.prepare(query).all(),
    /** The reporter of the object's next life. */
    evicted: make,
    keptWrites: () => keptWrites,
    /** The object waits until then, and leaves memory if that is long enough. */
    rest(ms: number) {
      reporter.keep(clock.now, clock.now + ms);
      clock.now += ms;
      if (ms >= 10_000) reporter = make();
    },
    written: () => changes(database) - start,
    note: (step: MachineStep) => reporter.note(step, clock.now),
    /** A step of the machine, then what maintenance does after it. */
    async step(event: MachineEvent, state: DriverState) {
      reporter.note({ before: state, event, state, effects: [] }, clock.now);
      await reporter.report(owner, state, clock.now);
    },
  };
}

function changes(database: ReturnType<typeof migratedDatabase>): number {
  return Number(database.prepare(`SELECT total_changes() AS n`).get()?.["n"]);
}

export function stateIn(phase: Phase): DriverState {
  return { ...initialState("fleet-reporter"), profile: makeProfile(), link: { status: "linked" }, phase };
}

export const POLLING = stateIn({ kind: "polling" });
export const FAILED: MachineEvent = { kind: "polled", sentAt: NOON, outcome: { kind: "unreachable" } };
