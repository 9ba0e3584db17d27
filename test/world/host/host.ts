import type { Driver } from "../../../durable/driver/driver.ts";
import type { Env } from "../../../durable/runtime/env.ts";
import type { Chance } from "../chance.ts";
import type { DriverClass } from "../life/load-driver.ts";
import { createObjectContext } from "../life/object-context.ts";
import { ObjectLife, type CrashMoment, type Outgoing, type Step } from "../life/object-life.ts";
import type { AcceptedSocket, ServerSocket } from "./sockets.ts";
import { ObjectDatabase } from "./storage.ts";
import { currentLife, type Timeline } from "../timeline.ts";

/** A handler that throws is tried again after these, then never. */
const RETRY_MS = [2_000, 4_000, 9_000, 17_000, 34_000, 65_000];
const HIBERNATION_MS = 10_000;
/** An alarm that is late by no more is on time. */
const PUNCTUAL_MS = 6;

/** An alarm that was due at an instant, and how much later it fired. */
export type LateAlarm = { at: number; byMs: number };

type HostDeps = {
  timeline: Timeline;
  chance: Chance;
  driverClass: DriverClass;
  createEnv: (life: ObjectLife) => Env;
  objectName: string;
  /** Whether the world wants a crash right here. */
  wantsCrash: (moment: CrashMoment, step: Step) => boolean;
  met: (what: string) => void;
};

/** The Workers runtime around one Durable Object: storage, gates, alarm, sockets, crashes, hibernation. */
export class ObjectHost {
  readonly #deps: HostDeps;
  readonly database = new ObjectDatabase();
  #lives: ObjectLife[] = [];
  #born = 0;
  #sockets: AcceptedSocket[] = [];
  /** Waiting for a transaction to be durable. */
  #gated: { batch: number; life: ObjectLife; outgoing: Outgoing }[] = [];
  #alarmToken = 0;
  #effectiveAlarm: number | null = null;
  #firing: { life: ObjectLife; alarm: number | null; since: number } | null = null;
  #alarmWrites = 0;
  #isNextDue = false;
  #failures = 0;
  #quietSince = 0;
  /** Alarms that the runtime fired much too late. */
  readonly lateAlarms: LateAlarm[] = [];
  /** Alarms that fired, calls from the Worker, and how long alarm handlers ran. */
  readonly billed = { alarms: 0, calls: 0, handlerMs: 0 };

  constructor(deps: HostDeps) {
    this.#deps = deps;
    deps.timeline.afterEach(() => this.#endTurn());
  }

  get alarm(): number | null {
    return this.#effectiveAlarm;
  }

  get isAlarmRunning(): boolean {
    return this.#firing !== null;
  }

  /** How often the object was constructed. */
  get born(): number {
    return this.#born;
  }

  isLiving(): boolean {
    return this.#lives.some(({ isCurrent }) => isCurrent);
  }

  /** Calls the object as the Worker does. Rejects if it is lost before the response has left. */
  call<Result>(use: (driver: Driver) => Result | Promise<Result>, onDelivery = () => {}): Promise<Result> {
    const { timeline, chance } = this.#deps;
    this.billed.calls += 1;
    return new Promise((resolve, reject) => {
      timeline.after(chance.between(1, 8), () => {
        this.#enter((life, driver) => {
          onDelivery();
          const lost = () => reject(new Error("the object was lost"));
          life.onDeath.add(lost);
          life.inFlight += 1;
          const leave = (respond: () => void) => {
            this.leave(life, "reply", () => {
              life.onDeath.delete(lost);
              life.inFlight -= 1;
              respond();
            });
          };
          let result: Result | Promise<Result>;
          try {
            result = use(driver);
          } catch (error) {
            return leave(() => reject(error));
          }
          Promise.resolve(result).then(
            (value) => leave(() => resolve(value)),
            (error: unknown) => leave(() => reject(error)),
          );
        });
      });
    });
  }

  /** Lets something leave the object once all that was written so far is durable. */
  leave(life: ObjectLife, step: Step, deliver: () => void): void {
    if (life.isAlive && !life.isGateBroken) life.outgoing.push({ step, deliver });
  }

  /** Hands an outcome to the life that waits for it. */
  hand(life: ObjectLife, step: Step, give: () => void): void {
    if (!life.isAlive) return;
    if (life.isCurrent && this.#deps.wantsCrash("answered", step)) return this.crash();
    const run = () => {
      life.inFlight -= 1;
      give();
    };
    if (life.locks > 0 && step !== "d1") life.waiting.push(run);
    else run();
  }

  /** Loses the object's memory and what was not durable. */
  crash({ leavesZombieMs = 0 } = {}): void {
    const { timeline, chance, met } = this.#deps;
    const life = this.#lives.find(({ isCurrent }) => isCurrent);
    const wasDirty = this.database.pending !== null;
    this.database.rollBack();
    this.#gated = this.#gated.filter((gated) => gated.life !== life);
    if (this.#firing?.life === life) this.#firing = null;
    this.#isNextDue = false;
    for (const { socket } of this.#sockets.splice(0)) socket.cut(1006);
    this.#arm(chance.between(150, 400));
    if (!life) return;
    life.isCurrent = false;
    if (leavesZombieMs === 0) return this.#end(life);
    met("old instance lives on");
    life.isGateBroken = wasDirty;
    timeline.after(leavesZombieMs, () => this.#end(life));
  }

  /** One more delivery of an alarm that was already handled. */
  fireAgain(): void {
    this.#enter((life, driver) => {
      life.inFlight += 1;
      Promise.resolve(driver.alarm()).finally(() => {
        life.inFlight -= 1;
      });
    });
  }

  close(): void {
    for (const life of this.#lives) life.isAlive = false;
    this.database.close();
  }

  /** Runs the object's code: makes the object if there is none in memory, waits while it is locked. */
  #enter(use: (life: ObjectLife, driver: Driver) => void): void {
    const life = this.#lives.find(({ isCurrent }) => isCurrent) ?? this.#begin();
    const { driver } = life;
    if (!driver) return;
    this.#quietSince = 0;
    const run = () => {
      if (life.isAlive) currentLife.run(life, () => use(life, driver));
    };
    if (life.locks > 0) life.waiting.push(run);
    else run();
  }

  #begin(): ObjectLife {
    const { driverClass, createEnv } = this.#deps;
    const life = new ObjectLife((this.#born += 1));
    this.#lives.push(life);
    const env = createEnv(life);
    life.driver = currentLife.run(life, () => new driverClass(this.#createContext(life), env));
    return life;
  }

  #end(life: ObjectLife): void {
    life.isAlive = false;
    life.isCurrent = false;
    life.outgoing = [];
    this.#lives = this.#lives.filter((other) => other !== life);
    for (const onDeath of life.onDeath) onDeath();
  }

  /** @returns whether something left, which may have led to more */
  #endTurn(): boolean {
    const { timeline, chance, wantsCrash } = this.#deps;
    const batch = this.database.closeBatch();
    if (batch !== null) {
      if (wantsCrash("written", this.#stepOf())) {
        this.crash();
        return false;
      }
      timeline.after(chance.is(0.05) ? chance.between(10, 60) : chance.between(1, 4), () =>
        this.#confirm(batch),
      );
    }
    const { pending } = this.database;
    let hasLeft = false;
    for (const life of this.#lives) {
      for (const outgoing of life.outgoing.splice(0)) {
        if (pending !== null && life.isCurrent) this.#gated.push({ batch: pending, life, outgoing });
        else {
          this.#release(life, outgoing);
          hasLeft = true;
        }
      }
    }
    this.#hibernateIfQuiet();
    return hasLeft;
  }

  #stepOf(): Step {
    const life = this.#lives.find(({ isCurrent }) => isCurrent);
    return life?.outgoing.find(({ step }) => step !== "reply")?.step ?? "write";
  }

  #confirm(batch: number): void {
    if (batch <= this.database.durable || this.database.pending === null) return;
    this.database.confirm(batch);
    const open = this.#gated.filter((gated) => gated.batch <= batch);
    if (this.#deps.wantsCrash("durable", open[0]?.outgoing.step ?? "write")) return this.crash();
    this.#gated = this.#gated.filter((gated) => gated.batch > batch);
    for (const { life, outgoing } of open) this.#release(life, outgoing);
    if (this.database.pending === null) this.#arm(0);
  }

  #release(life: ObjectLife, { step, deliver }: Outgoing): void {
    if (!life.isAlive || life.isGateBroken) return;
    deliver();
    if (life.isCurrent && this.#deps.wantsCrash("sent", step)) this.crash();
  }

  /** Schedules the alarm that is durable now, not before `delayMs` from now. */
  #arm(delayMs: number): void {
    const { timeline, chance } = this.#deps;
    const { alarm } = this.database;
    if (delayMs === 0 && alarm === this.#effectiveAlarm) return;
    this.#effectiveAlarm = alarm;
    this.#alarmToken += 1;
    const token = this.#alarmToken;
    if (alarm === null) return;
    const lateMs = chance.is(0.002) ? chance.between(500, 20_000) : chance.between(0, PUNCTUAL_MS);
    // By the clock of the machine, which the object reads too.
    timeline.at(Math.max(alarm - timeline.skewMs, timeline.now + delayMs) + lateMs, () => {
      if (token !== this.#alarmToken) return;
      if (lateMs > PUNCTUAL_MS) this.#deps.met("late alarm");
      if (lateMs > PUNCTUAL_MS) this.lateAlarms.push({ at: timeline.now - lateMs, byMs: lateMs });
      this.#fire();
    });
  }

  #fire(): void {
    // The next one is due while a handler still runs: it waits its turn.
    if (this.#firing) {
      this.#isNextDue = true;
      return;
    }
    this.#enter((life, driver) => {
      if (this.#firing) return;
      const firing = { life, alarm: this.database.alarm, since: this.#deps.timeline.now };
      this.billed.alarms += 1;
      const writes = this.#alarmWrites;
      this.#firing = firing;
      this.#effectiveAlarm = null;
      life.inFlight += 1;
      Promise.resolve(driver.alarm()).then(
        () => this.#handled(firing, writes),
        () => this.#failed(firing, writes),
      );
    });
  }

  #handled(firing: { life: ObjectLife; since: number }, writes: number): void {
    if (!firing.life.isAlive || this.#firing !== firing) return;
    this.billed.handlerMs += this.#deps.timeline.now - firing.since;
    this.#firing = null;
    firing.life.inFlight -= 1;
    this.#failures = 0;
    if (this.#alarmWrites === writes) this.#dropAlarm();
    else if (this.#isNextDue) this.#deps.timeline.after(0, () => this.#fire());
    this.#isNextDue = false;
  }

  #failed(firing: { life: ObjectLife }, writes: number): void {
    if (!firing.life.isAlive || this.#firing !== firing) return;
    this.#deps.met("alarm handler threw");
    this.#firing = null;
    firing.life.inFlight -= 1;
    if (this.#alarmWrites !== writes) return;
    const delayMs = RETRY_MS[this.#failures];
    this.#failures += 1;
    if (delayMs === undefined) return this.#dropAlarm();
    this.#arm(delayMs);
  }

  /** The runtime's own write. */
  #dropAlarm(): void {
    this.database.setAlarm(null);
  }

  #hibernateIfQuiet(): void {
    const { timeline, met } = this.#deps;
    const life = this.#lives.find(({ isCurrent }) => isCurrent);
    const isQuiet =
      life && life.timers === 0 && life.inFlight === 0 && life.locks === 0 && this.database.pending === null;
    if (!isQuiet) {
      this.#quietSince = 0;
      return;
    }
    if (this.#quietSince !== 0) return;
    const since = timeline.ran;
    this.#quietSince = since;
    timeline.after(HIBERNATION_MS, () => {
      if (this.#quietSince !== since || !life.isCurrent) return;
      met("hibernated");
      this.#quietSince = 0;
      this.#end(life);
    });
  }

  #createContext(life: ObjectLife): DurableObjectState {
    return createObjectContext(life, {
      database: this.database,
      objectName: this.#deps.objectName,
      onFenced: () => {
        this.#deps.met("old instance was fenced");
        this.#end(life);
      },
      onAlarmWritten: () => {
        this.#alarmWrites += 1;
      },
      crash: () => this.crash(),
      leave: (deliver) => this.leave(life, "reply", deliver),
      accept: (socket) => this.#sockets.push({ socket, acceptedBy: life }),
      openSockets: () => {
        this.#sockets = this.#sockets.filter(({ socket }) => socket.readyState === 1);
        return this.#sockets.map(({ socket }) => socket);
      },
    });
  }

  /** A frame from a dashboard. */
  receive(socket: ServerSocket, text: string): void {
    this.#enter((life, driver) => {
      socket.leave = (deliver) => this.leave(life, "reply", deliver);
      driver.webSocketMessage(socket as unknown as WebSocket, text);
    });
  }
}
