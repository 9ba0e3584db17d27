import type { DriverOwner } from "../../db/shapes/profile.ts";
import { capturedIn } from "../../db/shapes/log/driver-log.ts";
import type { Block } from "../../db/shapes/work/offer.ts";
import { createDeps } from "../deps.ts";
import type { DriverNotification } from "../engine/state/types.ts";
import type { Env } from "../runtime/env.ts";
import { AlarmLoop } from "./alarm-loop.ts";
import { Alarm } from "./alarm.ts";
import { settleLostDay, LostTimeKeeper } from "./logs/lost-time-keeper.ts";
import { EventLoop } from "./event-loop.ts";
import { FleetReporter } from "./logs/fleet-reporter.ts";
import { FormerRegion, Ownership } from "./ownership.ts";
import { ListingLog } from "./logs/listing-log.ts";
import { Machine } from "./machine.ts";
import { notifyDriver } from "./notify/notify.ts";
import { Heartbeat } from "./heartbeat.ts";
import { Maintenance } from "./maintenance.ts";
import { OwnRecord } from "./own-record.ts";
import { PlatformAccount } from "./platform-account.ts";
import { Recorder } from "./recorder.ts";
import { CalendarService } from "./services/calendar-service.ts";
import { CheckInService } from "./services/check-in-service.ts";
import { CityShares } from "./services/city-shares.ts";
import { Offboarding } from "./services/offboarding.ts";
import { EarningsService } from "./services/earnings-service.ts";
import { findWeekChange, WeekMessage } from "./services/week-message.ts";
import { LostDayMessage } from "./services/lost-day-message.ts";
import { ShiftChecks } from "./services/shift-checks.ts";
import { QuestionService } from "./services/question-service.ts";
import { LinkFlow } from "./services/link-flow.ts";
import { LinkSteps } from "./services/link-steps.ts";
import { RecordCopy } from "./services/record-copy.ts";
import { SubscribedBrowsers } from "./services/subscribed-browsers.ts";
import { WarehouseService } from "./services/warehouse-service.ts";
import { WonHistory } from "./services/won-history.ts";
import { Sockets } from "./sockets.ts";
import { TickerCalls } from "./ticker-calls.ts";
import { Store } from "./storage/store.ts";

/** The parts of a driver's object. */
export type DriverParts = ReturnType<typeof createParts>;

/** Creates the parts of a driver's object. Each depends only on parts constructed before it. */
export function createParts(ctx: DurableObjectState, env: Env) {
  const deps = createDeps(env);
  const { storage } = ctx;
  const objectName = ctx.id.name ?? null;
  const store = new Store(storage, {
    ...deps,
    objectName,
    vapidKey: deps.config.vapid?.publicKey ?? null,
  });
  const sockets = new Sockets(ctx);
  const fleet = new FleetReporter({
    ...deps,
    settings: deps.config.engine,
    stored: store.state,
    send: async (report) => deps.watchers.of(report.driverId)?.report(report),
  });
  const listings = new ListingLog(store);
  const lostTime = new LostTimeKeeper({
    ...deps,
    settings: () => deps.config.engine,
    stored: store.state,
    settle: (day) => settleLostDay(deps, day),
    noteReturned: (day) => lostDayMessage.add(day),
  });
  const shiftChecks: ShiftChecks = new ShiftChecks({ deps, store, machine: () => machine });
  const recorder = new Recorder({ store, sockets, fleet, listings, lostTime, shiftChecks, ...deps });
  const machine: Machine = new Machine({ deps, store, recorder });
  const { config, now } = deps;
  const notify = (notification: DriverNotification, owner: DriverOwner) =>
    notifyDriver(notification, { owner, state: machine.state, store, config, now: now() });
  const lostDayMessage: LostDayMessage = new LostDayMessage({ now, machine, stored: store.state, notify });
  const weekMessage = new WeekMessage({
    now,
    currency: config.currency,
    machine,
    stored: store.state,
    blocks: () => ({
      captured: capturedBlocks(store.events),
      held: store.heldBlocks.list().map(({ block }) => block),
    }),
    findChange: (week) => findWeekChange({ deps, store, machine }, week),
    notify,
    log: deps.log,
  });
  const account = new PlatformAccount({ deps, store, machine });
  const ownership = new Ownership({ deps, machine, account, objectName });
  const waitUntil = (work: Promise<void>) => ctx.waitUntil(work);
  const ticker = new TickerCalls({ deps, machine, objectName, waitUntil });
  const alarm = new Alarm({
    deps,
    storage,
    store,
    machine,
    ticker,
    lostTime,
    shiftChecks,
    weekMessage,
    lostDayMessage,
  });
  const loop = new EventLoop({ deps, machine, account, alarm });
  const warehouses = new WarehouseService({ deps, store, machine, loop, alarm });
  const won = new WonHistory({ ...deps, store });
  const cityShares = new CityShares({ ...deps, store, machine, listings });
  const ownRecord = new OwnRecord({ deps, machine, loop, alarm, objectName });
  const heartbeat = new Heartbeat({ deps, alarm, record: ownRecord, objectName });
  const maintenance = new Maintenance({
    deps,
    record: ownRecord,
    heartbeat,
    won,
    store,
    machine,
    account,
    loop,
    alarm,
    fleet,
    listings,
    lostTime,
    shiftChecks,
    cityShares,
    weekMessage,
    lostDayMessage,
    waitUntil,
    atHour: async () => void (await formerRegion.eraseIfLeft()),
    warehouses,
    objectName,
  });
  const record = new RecordCopy({
    deps,
    store,
    sockets,
    recorder,
    machine,
    ownership,
    loop,
    alarm,
    maintenance,
    ownRecord,
  });
  const checkIns = new CheckInService({ deps, machine, loop });
  const calendar = new CalendarService({ deps, store, machine });
  const questions = new QuestionService({ deps, store, machine, loop, alarm });
  const earnings = new EarningsService({ deps, store, machine, loop });
  const browsers = new SubscribedBrowsers({ deps, store, machine, ownership, maintenance });
  const links = new LinkFlow({ deps, store, machine, account, loop, objectName: objectName ?? "" });
  const linkSteps = new LinkSteps({
    links,
    machine,
    ownership,
    earnings,
    alarm,
    maintenance,
    record: ownRecord,
  });
  const offboarding = new Offboarding({
    deps,
    store,
    sockets,
    listings,
    machine,
    account,
    links,
    ownership,
    loop,
    alarm,
    maintenance,
    heartbeat,
    earnings,
    shiftChecks,
    weekMessage,
    lostTime,
    lostDayMessage,
    alone: (work) => ctx.blockConcurrencyWhile(work),
  });
  const formerRegion = new FormerRegion({
    deps,
    name: objectName,
    driverId: () => machine.owner?.driverId ?? null,
    leaveBlocks: (driverId) => won.leave(driverId),
    erase: () => offboarding.deleteAccount(),
  });
  const alarmLoop = new AlarmLoop({ deps, machine, loop, alarm, maintenance });
  return {
    deps,
    store,
    sockets,
    listings,
    machine,
    account,
    ownership,
    ticker,
    alarm,
    loop,
    warehouses,
    won,
    maintenance,
    ownRecord,
    record,
    checkIns,
    calendar,
    questions,
    earnings,
    browsers,
    links,
    linkSteps,
    offboarding,
    formerRegion,
    shiftChecks,
    alarmLoop,
  };
}

/** The captures of two weeks are far fewer. */
const MAX_WON = 500;

/** The newest captures of the log. */
function capturedBlocks(events: Store["events"]): Block[] {
  return events.list("won", { cursor: Number.MAX_SAFE_INTEGER, limit: MAX_WON }).flatMap(capturedIn);
}
