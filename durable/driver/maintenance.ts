import type { Deps } from "../deps.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import { DAY_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import { describeError } from "../runtime/describe-error.ts";
import { isHourlyDue, isLateLookDue, mayLeaveMemory } from "../watch/own-turn.ts";
import { objectName } from "./object-name.ts";
import type { Alarm } from "./alarm.ts";
import type { EventLoop } from "./event-loop.ts";
import type { Heartbeat } from "./heartbeat.ts";
import type { LostTimeKeeper } from "./logs/lost-time-keeper.ts";
import type { FleetReporter } from "./logs/fleet-reporter.ts";
import type { ListingLog } from "./logs/listing-log.ts";
import type { Machine } from "./machine.ts";
import { endLeftSessions, flushOutbox, type OutboxDeps } from "./outbox.ts";
import type { OwnRecord } from "./own-record.ts";
import type { PlatformAccount } from "./platform-account.ts";
import type { StoredIntervals } from "./storage/stored-shapes.ts";
import type { Store } from "./storage/store.ts";
import { notifyDriver } from "./notify/notify.ts";
import { isStillTrue } from "./notify/resend-text.ts";
import { closeTextDay } from "./notify/text-queue.ts";
import type { HeldNotification } from "./storage/text-about.ts";
import type { ShiftChecks } from "./services/shift-checks.ts";
import type { CityShares } from "./services/city-shares.ts";
import type { LostDayMessage } from "./services/lost-day-message.ts";
import type { WeekMessage } from "./services/week-message.ts";
import type { WarehouseService } from "./services/warehouse-service.ts";
import type { WonHistory } from "./services/won-history.ts";

/** How often the object compares D1's sums of captured blocks with its own. */
const COMPARE_INTERVAL_MS = DAY_MS;

type MaintenanceDeps = {
  deps: Deps;
  store: Store;
  machine: Machine;
  account: PlatformAccount;
  loop: EventLoop;
  alarm: Alarm;
  record: OwnRecord;
  heartbeat: Heartbeat;
  warehouses: WarehouseService;
  won: WonHistory;
  fleet: FleetReporter;
  listings: ListingLog;
  lostTime: LostTimeKeeper;
  shiftChecks: ShiftChecks;
  cityShares: CityShares;
  weekMessage: WeekMessage;
  lostDayMessage: LostDayMessage;
  /** The object's own. */
  objectName: string | null;
  /** Keeps the object alive for work that outlives the request. */
  waitUntil: (work: Promise<void>) => void;
  /** Never throws. */
  atHour: () => Promise<void>;
};

/**
 * Work that can wait: copies to D1, notifications, pruning, the heartbeat. Runs in the background and never delays
 * polls or accepts.
 */
export class Maintenance {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #machine: Machine;
  readonly #account: PlatformAccount;
  readonly #loop: EventLoop;
  readonly #alarm: Alarm;
  readonly #record: OwnRecord;
  readonly #heartbeat: Heartbeat;
  readonly #warehouses: WarehouseService;
  readonly #won: WonHistory;
  readonly #fleet: FleetReporter;
  readonly #listings: ListingLog;
  readonly #lostTime: LostTimeKeeper;
  readonly #shiftChecks: ShiftChecks;
  readonly #cityShares: CityShares;
  readonly #weekMessage: WeekMessage;
  readonly #lostDayMessage: LostDayMessage;
  readonly #waitUntil: (work: Promise<void>) => void;
  readonly #atHour: () => Promise<void>;
  readonly #objectName: string | null;
  readonly #sending = new Map<number, Promise<void>>();
  #running: Promise<void> | null = null;
  #isDueAgain = false;
  #isProfileDue = false;
  /** Since when a check of the profile waits for the driver's turn; null if none does. */
  #lateSince: EpochMs | null = null;
  readonly #bornAt: EpochMs;
  #prunedAt: EpochMs = 0;
  #wonComparedAt: EpochMs = 0;
  /** The intervals as they are stored. */
  #stored = "";

  constructor({
    deps,
    store,
    machine,
    account,
    loop,
    alarm,
    record,
    heartbeat,
    warehouses,
    won,
    fleet,
    listings,
    lostTime,
    shiftChecks,
    cityShares,
    weekMessage,
    lostDayMessage,
    waitUntil,
    atHour,
    objectName,
  }: MaintenanceDeps) {
    this.#atHour = atHour;
    this.#objectName = objectName;
    this.#deps = deps;
    this.#bornAt = deps.now();
    this.#store = store;
    this.#machine = machine;
    this.#account = account;
    this.#loop = loop;
    this.#alarm = alarm;
    this.#record = record;
    this.#heartbeat = heartbeat;
    this.#warehouses = warehouses;
    this.#won = won;
    this.#fleet = fleet;
    this.#listings = listings;
    this.#lostTime = lostTime;
    this.#shiftChecks = shiftChecks;
    this.#cityShares = cityShares;
    this.#weekMessage = weekMessage;
    this.#lostDayMessage = lostDayMessage;
    this.#waitUntil = waitUntil;
    const intervals = store.state.intervals();
    if (intervals === null) return;
    this.#stored = JSON.stringify(intervals);
    heartbeat.restore(intervals.heartbeatAt);
    this.#prunedAt = intervals.prunedAt;
    this.#wonComparedAt = intervals.wonComparedAt;
    fleet.restore(intervals);
    deps.drift.restore(intervals.drift);
  }

  /** Starts a run, after the one in progress if there is one, since that one may be past what is due now. */
  start(): void {
    const { owner } = this.#machine;
    if (!owner) return;
    this.#keepMemory();
    this.#isDueAgain = this.#running !== null;
    this.#waitUntil(this.#runOrLog(owner));
  }

  /** Starts a run that sends a heartbeat however recent the last one is, because the next wake time has changed. */
  startWithHeartbeat(): void {
    this.#heartbeat.makeDue();
    this.start();
  }

  /** The same, and asks D1 for a newer profile. */
  startWithProfile(): void {
    this.#isProfileDue = true;
    this.startWithHeartbeat();
  }

  /** The same for an object that lost its alarm, which asks at the driver's turn: it has seldom missed anything meanwhile. */
  startLate(): void {
    this.#lateSince ??= this.#deps.now();
    this.startWithHeartbeat();
  }

  /** Waits for the run in progress. */
  async drain(): Promise<void> {
    await this.#running;
  }

  #runOrLog(owner: DriverOwner): Promise<void> {
    this.#running ??= this.#runOnce(owner)
      .finally(() => this.#keepMemory())
      .finally(() => {
        this.#running = null;
        if (this.#isDueAgain) this.start();
      })
      // Last, so that the log also has a line when the next run can't begin, for example in an object that was replaced
      // meanwhile.
      .catch((error: unknown) => {
        const facts = { driverId: owner.driverId, ...describeError(error) };
        this.#deps.log("warn", "driver.maintenance.failed", facts);
      });
    return this.#running;
  }

  /**
   * Stores what is only in memory, if the object may leave memory before it wakes again: an idle poll within ten seconds writes
   * nothing.
   */
  #keepMemory(): void {
    // With a call in flight it stays in memory, and the call's end comes back here.
    if (this.#loop.isBusy) return;
    const now = this.#deps.now();
    const wakesAt = this.#alarm.nextAt();
    if (this.#machine.owner === null || !mayLeaveMemory(now, wakesAt)) return;
    this.#fleet.keep(now, wakesAt);
    this.#listings.keep(now, wakesAt);
    this.#lostTime.keep(this.#machine.state, now, wakesAt);
    this.#keepIntervals();
  }

  #keepIntervals(): void {
    const intervals: StoredIntervals = {
      heartbeatAt: this.#heartbeat.at,
      prunedAt: this.#prunedAt,
      wonComparedAt: this.#wonComparedAt,
      ...this.#fleet.intervals,
      drift: this.#deps.drift.told,
    };
    const text = JSON.stringify(intervals);
    if (text === this.#stored) return;
    this.#stored = text;
    this.#store.state.write("intervals", intervals);
  }

  /** Sends the due outbox rows now. */
  async flush(): Promise<void> {
    const { owner } = this.#machine;
    if (!owner) return;
    await flushOutbox(owner, this.#outboxDeps());
    // A text or a push that was refused is back for another try, of which the alarm that is set knows nothing.
    if (this.#store.outbox.nextAt() !== null) await this.#alarm.set();
  }

  /** Starts a run, and waits for what is being sent, but no longer than that. */
  async sendFor(waitMs: DurationMs): Promise<void> {
    this.start();
    const timer = new AbortController();
    const sent = this.flush().then(() => Promise.allSettled(this.#sending.values()));
    await Promise.race([sent, this.#deps.sleep(waitMs, timer.signal)]);
    timer.abort();
  }

  /** Tries once to end the remaining platform sessions, due or not. */
  async endSessions(): Promise<void> {
    const { owner } = this.#machine;
    if (owner) await endLeftSessions(owner, this.#outboxDeps());
  }

  #outboxDeps(): OutboxDeps {
    return {
      ...this.#deps,
      store: this.#store,
      won: this.#won,
      sending: this.#sending,
      tellHeld: (about, owner) => this.#tellHeld(about, owner),
      waitsUntil: () => this.#account.waitsUntil(),
      noteRefusal: (result) => this.#loop.noteRefusal(result),
    };
  }

  #tellHeld(about: HeldNotification, owner: DriverOwner): void {
    const { state } = this.#machine;
    const { config, now } = this.#deps;
    if (isStillTrue(about, state, now()))
      notifyDriver(about, { owner, state, store: this.#store, config, now: now() });
  }

  async #runOnce(owner: DriverOwner): Promise<void> {
    const now = this.#deps.now();
    closeTextDay({ owner, store: this.#store, config: this.#deps.config, now });
    await this.flush();
    const areTold = [this.#lostDayMessage.run(owner), await this.#weekMessage.run()];
    if ((await this.#shiftChecks.run(owner)) || areTold.includes(true)) await this.flush();
    const life = { bornAt: this.#bornAt, mayEnd: mayLeaveMemory(now, this.#alarm.nextAt()) };
    if (isLateLookDue(owner.driverId, this.#lateSince, life, now)) {
      this.#lateSince = null;
      this.#isProfileDue = true;
    }
    if (isHourlyDue(owner.driverId, this.#prunedAt, life, now)) {
      const isNew = this.#prunedAt === 0;
      this.#prunedAt = now;
      this.#isProfileDue = true;
      this.#store.prune(now);
      await this.#compareWon(owner, now);
      await this.#cityShares.addDue(owner, now);
      // Objects that poll often never leave memory, so after a deployment they would all lack this hour's intervals.
      this.#keepIntervals();
      // Not part of the run, which an object that erases itself waits for. A new one may be linking its account just now.
      if (!isNew) this.#waitUntil(this.#atHour());
    }
    await this.#fleet.report(owner, this.#machine.state, now);
    await this.#deps.drift.report();
    if (await this.#lostTime.settle(owner, now)) this.#isProfileDue = true;
    if (this.#isProfileDue) await this.#syncProfile(now);
    if (!(await this.#heartbeat.beat(owner, now))) return;
    // Not part of the run: a platform that is slow to answer must not hold back the next texts.
    if (this.#machine.state.profile?.switchedOn) this.#waitUntil(this.#refreshWarehouses(owner));
  }

  /**
   * @throws if D1 doesn't answer; the object asks again at the driver's next turn, not at each poll: all objects may be waiting
   * for D1
   */
  async #syncProfile(now: EpochMs): Promise<void> {
    this.#isProfileDue = false;
    try {
      await this.#record.sync();
    } catch (error) {
      this.#lateSince ??= now;
      throw error;
    }
  }

  /** Once a day. Never throws: the next hour tries again. */
  async #compareWon({ driverId }: DriverOwner, now: EpochMs): Promise<void> {
    if (now - this.#wonComparedAt < COMPARE_INTERVAL_MS) return;
    try {
      const today = objectName(this.#deps.config.platform.region, driverId);
      // The driver's list is read in today's region, where the object may not be at work yet.
      if ((this.#objectName ?? today) === today) await this.#won.takeOver(driverId);
      else await this.#won.leave(driverId);
      await this.#won.compare(driverId);
      this.#wonComparedAt = now;
    } catch (error) {
      this.#deps.log("warn", "driver.won.failed", { driverId, ...describeError(error) });
    }
  }

  /** Never throws: the next minute tries again. */
  async #refreshWarehouses({ driverId }: DriverOwner): Promise<void> {
    try {
      await this.#warehouses.refresh();
    } catch (error) {
      this.#deps.log("warn", "driver.warehouses.failed", { driverId, ...describeError(error) });
    }
  }
}
