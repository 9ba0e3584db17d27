import { index, integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { jsonColumn, wordColumn } from "../columns.ts";
import { cityState, readSharedStates } from "../shapes/city-health.ts";
import { fleetState } from "../shapes/fleet.ts";
import { readCounts } from "../shapes/work/city-hours.ts";
import type { DriverId, WarehouseId } from "../shapes/units.ts";

/** Each driver's object with the activity that it last reported. Written when that changes, and once an hour. */
export const driverStates = sqliteTable(
  "driver_states",
  {
    driverId: text("driver_id").$type<DriverId>().primaryKey(),
    state: wordColumn("state", fleetState, "off").notNull(),
    since: integer().notNull(),
    reportedAt: integer("reported_at").notNull(),
  },
  (table) => [index("driver_states_state").on(table.state, table.since)],
);

const tally = (name: string) => integer(name).notNull().default(0);

/**
 * The sums of all objects' counts in an hour, in a few rows, so that objects don't contend for one. Nothing says whose it
 * was. Added to, so that a report whose answer was lost counts twice.
 */
export const fleetHours = sqliteTable(
  "fleet_hours",
  {
    /** Hours since 1970-01-01T00:00Z. */
    hour: integer().notNull(),
    shard: integer().notNull(),
    captures: tally("captures"),
    losses: tally("losses"),
    answered: tally("answered"),
    unauthorized: tally("unauthorized"),
    forbidden: tally("forbidden"),
    limited: tally("limited"),
    failed: tally("failed"),
    nameNotFound: tally("name_not_found"),
    untrusted: tally("untrusted"),
    notListening: tally("not_listening"),
    disconnected: tally("disconnected"),
    timedOut: tally("timed_out"),
    unreadable: tally("unreadable"),
    refused: tally("refused"),
    late50: tally("late_50"),
    late100: tally("late_100"),
    late250: tally("late_250"),
    late500: tally("late_500"),
    late1000: tally("late_1000"),
    late2500: tally("late_2500"),
    late10000: tally("late_10000"),
    lateMore: tally("late_more"),
  },
  (table) => [primaryKey({ columns: [table.hour, table.shard] })],
);

/**
 * How many drivers were in each state, a quarter of an hour each. A quarter with any row was counted whole: a state without one
 * had nobody.
 */
export const fleetStateCounts = sqliteTable(
  "fleet_state_counts",
  {
    /** Quarters of an hour since 1970-01-01T00:00Z. */
    quarter: integer().notNull(),
    state: wordColumn("state", fleetState, "off").notNull(),
    drivers: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.quarter, table.state] })],
);

/** Sums of a city in an hour. */
const cityTallies = {
  lookedSeconds: tally("looked_seconds"),
  offers: tally("offers"),
  matches: tally("matches"),
  captures: tally("captures"),
  losses: tally("losses"),
  answered: tally("answered"),
  refused: tally("refused"),
  failed: tally("failed"),
  softBlocks: tally("soft_blocks"),
};

/**
 * The sums of all objects' counts by city and hour, of which nothing says whose it was: 24 rows a day for a city. Instants are
 * the last ones of the hour, 0 where there was none.
 */
export const cityHours = sqliteTable(
  "city_hours",
  {
    /** Hours since 1970-01-01T00:00Z. */
    hour: integer().notNull(),
    city: text().notNull(),
    ...cityTallies,
    callAt: tally("call_at"),
    offerAt: tally("offer_at"),
    matchAt: tally("match_at"),
    captureAt: tally("capture_at"),
    lossAt: tally("loss_at"),
  },
  (table) => [primaryKey({ columns: [table.hour, table.city] })],
);

/**
 * A city's days by its own calendar, a row each: how long the platform worked, was slow and was down, as far as enough drivers
 * were at work to tell. The last one also says how it is now. Nothing says how many drivers there were.
 */
export const cityDays = sqliteTable(
  "city_days",
  {
    /** Days since 1970-01-01 of the city's calendar. */
    day: integer().notNull(),
    city: text().notNull(),
    timeZone: text("time_zone").notNull(),
    state: wordColumn("state", cityState, "unknown").notNull(),
    since: integer().notNull(),
    isOurs: integer("is_ours", { mode: "boolean" }).notNull().default(false),
    shared: jsonColumn("shared", readSharedStates).notNull(),
    /** Up to when the sums count. */
    countedAt: integer("counted_at").notNull(),
    workingMs: tally("working_ms"),
    slowMs: tally("slow_ms"),
    downMs: tally("down_ms"),
  },
  (table) => [primaryKey({ columns: [table.day, table.city] })],
);

/**
 * The offers that appeared to drivers at a warehouse in a week, a row each for eight weeks: how many in each hour of
 * the week on its clock, and at each hourly pay in whole units. Sums of what drivers' objects add once a day; nothing
 * says whose it was. Shown where `drivers` is enough: each object adds 1 to it once a week.
 */
export const warehouseWeeks = sqliteTable(
  "warehouse_weeks",
  {
    /** Weeks since Monday, 5 January 1970, at midnight UTC. */
    week: integer().notNull(),
    warehouseId: text("warehouse_id").$type<WarehouseId>().notNull(),
    drivers: tally("drivers"),
    offers: tally("offers"),
    hours: jsonColumn("hours", readCounts).notNull(),
    pays: jsonColumn("pays", readCounts).notNull(),
    /** By hour of the week and pay, as `hourPayOf` says; none in rows of earlier releases. */
    hourPays: jsonColumn("hour_pays", readCounts).notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.week, table.warehouseId] })],
);

/** The part of a city's hour that metric points already said, where they are written. */
export const metricHours = sqliteTable(
  "metric_hours",
  {
    hour: integer().notNull(),
    city: text().notNull(),
    ...cityTallies,
  },
  (table) => [primaryKey({ columns: [table.hour, table.city] })],
);

/** Each step of the crons, with its last runs, from its first on. */
export const cronSteps = sqliteTable("cron_steps", {
  name: text().primaryKey(),
  startedAt: integer("started_at").notNull(),
  /** Null where it never succeeded. */
  succeededAt: integer("succeeded_at"),
  /** The class of the error that the last run ended with; null where it succeeded. */
  failure: text(),
  /** From when on the step counts as missed, unless it succeeds before. */
  overdueAt: integer("overdue_at").notNull(),
});

/** Troubles that operators hear of, from their begin on: one row for each name, of the last time. */
export const incidents = sqliteTable("incidents", {
  /** The name of its alert. */
  name: text().primaryKey(),
  /** Of this time, so that a receiver can tell a repeated message. */
  id: text().notNull(),
  reason: text().notNull(),
  begunAt: integer("begun_at").notNull(),
  seenAt: integer("seen_at").notNull(),
  /** Null while it lasts. */
  endedAt: integer("ended_at"),
  /** When operators were told that it began, and that it ended; null until then. */
  beginToldAt: integer("begin_told_at"),
  endToldAt: integer("end_told_at"),
  /** From when on the next message may be sent, so that of two runs one sends it. */
  dueAt: integer("due_at").notNull().default(0),
});

/** Tasks of the queue that ended: those whose results were counted, and those that every try failed at. Kept for a week. */
export const endedTasks = sqliteTable(
  "ended_tasks",
  {
    id: text().primaryKey(),
    /** As in the task; a later release may have others. */
    kind: text().notNull(),
    /** Whether it was given up. */
    isDead: integer("is_dead", { mode: "boolean" }).notNull(),
    at: integer().notNull(),
  },
  (table) => [index("ended_tasks_at").on(table.isDead, table.at)],
);
