import { DurableObject } from "cloudflare:workers";
import type { DevicePosition, NextBlockAnswer } from "../../worker/contract/arrival.ts";
import type { EarningsAnswer } from "../../worker/contract/earnings.ts";
import type { Snapshot } from "../../worker/contract/live.ts";
import type { Env } from "../config.ts";
import { createDeps, type Deps } from "../deps.ts";
import { initialState, nextWakeAt, recover, step } from "../engine/machine.ts";
import type {
  DriverState,
  Effect,
  MachineEvent,
  Profile,
  ServiceNews,
  StepContext,
  Warehouse,
} from "../engine/types.ts";
import { MINUTE_MS, type BlockId, type EpochMs } from "../engine/units.ts";
import { errorName } from "../log.ts";
import type { PushSubscription } from "../push/push.ts";
import { createTokenKeeper, type TokenKeeper } from "../platform/tokens.ts";
import { Arriving, type ArrivalStep } from "./arriving.ts";
import { EarningsDesk } from "./earnings-desk.ts";
import { isPlatformEffect, perform } from "./effects.ts";
import { LinkFlow, type Linked, type LinkStep } from "./linking.ts";
import { Housekeeping } from "./housekeeping.ts";
import { Sockets } from "./sockets.ts";
import { Store, type EventRow, type ListName } from "./store.ts";
import type { Identity } from "./stored.ts";
import { tellDriver } from "./tell.ts";
import { takeSnapshot, withStanding } from "./view.ts";

/** Below this a poll of its own alarm costs more than a window that stays awake (platform-facts.md). */
const SHORTEST_ALARM_MS = 850;
const WINDOW_MS = 30_000;
/** So long a round of housekeeping may take before an alarm looks after the outbox. */
const OUTBOX_LOOK_MS = 1_000;
/** How often the platform is asked whether it still wants the driver in person. */
const VERIFICATION_EVERY_MS = MINUTE_MS;

/** One driver: the clock, the storage, the alarm and the sockets. What to do, the engine decides. */
export class Driver extends DurableObject<Env> {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #sockets: Sockets;
  readonly #housekeeping: Housekeeping;
  readonly #earnings: EarningsDesk;
  #state: DriverState;
  #owner: Identity | null;
  #tokens: TokenKeeper | null = null;
  #linking: LinkFlow | null = null;
  #turn: Promise<void> | null = null;
  #verificationAskedAt: EpochMs = 0;
  /** Whoever asked the platform before the driver left gets no answer. */
  #life = 0;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#deps = createDeps(env);
    this.#store = new Store(ctx.storage);
    this.#owner = this.#store.identity();
    const initial = initialState(crypto.randomUUID().slice(0, 13));
    const saved = this.#store.load(initial);
    this.#state = recover(saved);
    this.#store.save(initial, this.#state);
    this.#housekeeping = new Housekeeping(
      {
        nextAt: () => this.#nextAt(),
        revision: () => this.#state.profile?.revision ?? -1,
        take: async (owner, profile) => {
          this.#own(owner);
          await this.#apply({ kind: "profile_changed", profile });
          await this.#arm();
        },
      },
      { deps: this.#deps, store: this.#store },
    );
    const { platform, now } = this.#deps;
    this.#earnings = new EarningsDesk({ platform, store: this.#store, now });
    this.#sockets = new Sockets(ctx, { store: this.#store, snapshot: () => this.snapshot() });
  }

  /** Takes D1's copy of the driver, where it is newer than the object's, and what led to it where the driver is to hear. */
  async configure(owner: Identity, profile: Profile, news: readonly ServiceNews[] = []): Promise<void> {
    this.#own(owner);
    await this.#apply({ kind: "profile_changed", profile });
    if (news.length > 0) await this.#apply({ kind: "news_arrived", news });
    this.#sockets.tellChanged(this.#deps.now());
    await this.#arm();
    // Switched on or off: the watchdog must learn of it now, not with the next heartbeat.
    this.#housekeeping.beatSoon();
    this.#keepHouse();
  }

  snapshot(): Snapshot {
    const now = this.#deps.now();
    return takeSnapshot(this.#state, { store: this.#store, now, timeZone: this.#owner?.timeZone ?? "UTC" });
  }

  /** One page of the whole log, oldest first. */
  log(page: { after: number; limit: number }): EventRow[] {
    return this.#store.log(page);
  }

  /** One page of a list, newest first. */
  list(name: ListName, page: { cursor: number; limit: number }): EventRow[] {
    return withStanding(this.#store.list(name, page), this.#state.held);
  }

  warehouses(): readonly Warehouse[] {
    return this.#state.warehouses;
  }

  /** What the driver earned in this week and the last; null where no account is linked, or none was ever read. */
  async earnings(): Promise<EarningsAnswer["earnings"]> {
    const tokens = this.#keeper();
    if (!tokens || !this.#owner || this.#state.link.status === "unlinked") return null;
    const { timeZone } = this.#owner;
    return this.#earnings.read({ tokens, timeZone, quietUntil: this.#state.throttle.until });
  }

  async linkLogin(owner: Identity, credentials: { email: string; password: string }): Promise<LinkStep> {
    return this.#linkFlow(owner).login(credentials);
  }

  async linkCode(owner: Identity, code: string): Promise<LinkStep> {
    return this.#linkFlow(owner).answerCode(code);
  }

  async linkResend(owner: Identity): Promise<LinkStep> {
    return this.#linkFlow(owner).resendCode();
  }

  async linkRead(owner: Identity): Promise<LinkStep> {
    return this.#linkFlow(owner).read();
  }

  /** The block to arrive at, and where. */
  async arrivingAt(): Promise<NextBlockAnswer> {
    return this.#arriving().next();
  }

  async checkIn(blockId: BlockId, position: DevicePosition): Promise<ArrivalStep> {
    return this.#arriving().checkIn(blockId, position);
  }

  /** Forgets the platform account. The platform is told where it can be reached. */
  async unlink(): Promise<void> {
    await this.#endSession();
    this.#earnings.forget();
    await this.#apply({ kind: "unlinked" });
    this.#store.enqueue(
      { kind: "record_changed", change: { proxyInstalled: false, flexEmail: null } },
      this.#deps.now(),
    );
    if (this.#owner) await this.#housekeeping.flush(this.#owner);
    await this.#arm();
  }

  /** The driver goes for good: the platform is told where it can be reached, and nothing stays here. */
  async leave(): Promise<void> {
    await this.#endSession();
    this.#life += 1;
    this.#owner = null;
    this.#tokens = null;
    this.#sockets.dismiss();
    // A round under way may still copy to D1, and from it: whoever called erases D1 after this.
    await this.#housekeeping.rest();
    await this.ctx.blockConcurrencyWhile(async () => {
      this.#state = initialState(crypto.randomUUID().slice(0, 13));
      await this.#store.wipe();
    });
  }

  async #endSession(): Promise<void> {
    const tokens = this.#keeper();
    if (tokens && this.#state.link.status === "linked") {
      await tokens.withToken((accessToken) => this.#deps.platform.endSession({ accessToken }));
    }
    tokens?.forget();
    this.#store.write("linking", null);
  }

  /** A browser listens for its driver from now on. */
  addBrowser(owner: Identity, browser: PushSubscription): void {
    this.#own(owner);
    this.#store.addBrowser(browser);
  }

  removeBrowser(endpoint: string): void {
    this.#store.dropBrowser(endpoint);
  }

  /** How many browsers listen for the driver. */
  countBrowsers(): number {
    return this.#store.browsers().length;
  }

  /** The watchdog's touch: looks whether an alarm is due that never rang. */
  async poke(): Promise<void> {
    await this.#arm();
    this.#keepHouse();
  }

  /** A dashboard, with a ticket that the Worker has verified: each is good once. */
  override async fetch(request: Request): Promise<Response> {
    const now = this.#deps.now();
    const ticketId = request.headers.get("x-jornada-ticket-id");
    const expiresAt = Number(request.headers.get("x-jornada-ticket-expires"));
    if (!ticketId || !this.#store.useTicket(ticketId, expiresAt, now))
      return new Response(null, { status: 401 });
    return this.#sockets.accept(now);
  }

  override webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): void {
    this.#sockets.receive(socket, data, this.#deps.now());
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    if (socket.readyState !== WebSocket.CLOSED) socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }

  override webSocketError(): void {
    this.#deps.log("info", "live.socket.error", { driverId: this.#owner?.driverId ?? null });
  }

  /** Never throws: after six failures an alarm would never ring again. Arms last: armed early, a crash loses the window. */
  override async alarm(): Promise<void> {
    try {
      this.#turn ??= this.#run();
      await this.#turn;
    } catch (error) {
      this.#deps.log("error", "capture.turn.failed", {
        driverId: this.#owner?.driverId ?? null,
        error: errorName(error),
      });
    } finally {
      this.#turn = null;
      await this.#arm();
    }
    this.#keepHouse();
  }

  /** One poll, or a window of them where they are too close for an alarm each. */
  async #run(): Promise<void> {
    const { now, sleep } = this.#deps;
    const windowEnd = now() + WINDOW_MS;
    if (this.#state.verification) await this.#askVerification();
    for (;;) {
      await this.#apply({ kind: "woke" });
      const at = nextWakeAt(this.#state, this.#context());
      if (at === null || at - now() >= SHORTEST_ALARM_MS || at >= windowEnd) return;
      await sleep(Math.max(0, at - now()));
      this.#keepHouse();
    }
  }

  /** The driver takes the selfie on the platform's own page; only the platform knows when it is done. */
  async #askVerification(): Promise<void> {
    this.#verificationAskedAt = this.#deps.now();
    const answer = await this.#keeper()?.withToken((accessToken) =>
      this.#deps.platform.readDriver({ accessToken }),
    );
    if (answer?.kind === "driver" && !answer.driver.verification.required) {
      await this.#apply({ kind: "verification_cleared" });
    }
  }

  /** Loads, steps, saves, acts. Up to the first await all of it is one transaction. */
  async #apply(event: MachineEvent): Promise<void> {
    const before = this.#state;
    const { state, effects } = step(before, event, this.#context());
    this.#state = state;
    this.#store.save(before, state);
    const now = this.#deps.now();
    for (const effect of effects) this.#record(effect, now);
    if (before.link !== state.link && state.link.status === "signed_out") {
      this.#store.enqueue({ kind: "record_changed", change: { proxyInstalled: false } }, now);
    }
    if (event.kind === "polled") this.#sockets.pulse(state.memory.open.length, now);
    if (before.held !== state.held || before.warehouses !== state.warehouses) this.#sockets.tellChanged(now);
    await this.#act(effects.filter(isPlatformEffect));
  }

  #record(effect: Effect, now: EpochMs): void {
    if (effect.kind === "log") {
      const rows = this.#store.append(effect.events);
      this.#sockets.tell(rows, now);
      for (const { event } of rows) {
        if (event.kind !== "attempt_settled" || event.attempt.outcome.status !== "won") continue;
        const { attemptId, outcome } = event.attempt;
        this.#store.enqueue({ kind: "block_won", attemptId, block: outcome.block }, now);
      }
    }
    if (effect.kind === "notify" && this.#owner) {
      const { config } = this.#deps;
      const told = { owner: this.#owner, state: this.#state, store: this.#store, config, now };
      for (const notice of effect.notices) tellDriver(notice, told);
    }
  }

  async #act(effects: Parameters<typeof perform>[0][]): Promise<void> {
    const tokens = this.#keeper();
    if (!tokens) return;
    const { platform, now, log } = this.#deps;
    const driverId = this.#owner?.driverId ?? null;
    const tellSkipped = (count: number) => log("warn", "capture.offers.skipped", { driverId, count });
    const life = this.#life;
    const apply = async (event: MachineEvent) => {
      if (life === this.#life) await this.#apply(event);
    };
    for (const effect of effects) await perform(effect, { platform, tokens, now, apply, tellSkipped });
  }

  /** Rings when the machine or the outbox next has something to do. A turn under way arms for itself. */
  async #arm(): Promise<void> {
    if (this.#turn) return;
    const at = this.#nextAt();
    if (at === null) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(at);
  }

  #nextAt(): EpochMs | null {
    const isWaiting = this.#state.verification !== null && this.#state.profile?.switchedOn === true;
    const outboxAt = this.#store.nextOutboxAt();
    const times = [
      nextWakeAt(this.#state, this.#context()),
      // What is due is on its way already; the alarm is for what did not get there.
      outboxAt === null ? null : Math.max(outboxAt, this.#deps.now() + OUTBOX_LOOK_MS),
      isWaiting ? this.#verificationAskedAt + VERIFICATION_EVERY_MS : null,
    ].filter((at) => at !== null);
    return times.length > 0 ? Math.min(...times) : null;
  }

  /** Beside whatever the object does now. */
  #keepHouse(): void {
    if (this.#owner) this.ctx.waitUntil(this.#housekeeping.run(this.#owner));
  }

  #context(): StepContext {
    return { now: this.#deps.now(), roll: this.#deps.roll(), settings: this.#deps.config.engine };
  }

  #own(owner: Identity): void {
    if (JSON.stringify(owner) === JSON.stringify(this.#owner)) return;
    if (owner.driverId !== this.#owner?.driverId) this.#tokens = null;
    this.#owner = owner;
    this.#linking = null;
    this.#store.write("identity", owner);
  }

  #keeper(): TokenKeeper | null {
    if (!this.#owner) return null;
    const store = this.#store;
    this.#tokens ??= createTokenKeeper({
      driverId: this.#owner.driverId,
      keys: this.#deps.keys,
      now: this.#deps.now,
      refresh: (refreshToken) => this.#deps.platform.refreshTokens({ refreshToken }),
      store: { read: () => store.sealedTokens(), write: (sealed) => store.write("tokens", sealed) },
    });
    return this.#tokens;
  }

  #arriving(): Arriving {
    return new Arriving({
      platform: this.#deps.platform,
      tokens: this.#keeper(),
      now: this.#deps.now,
      state: () => this.#state,
      apply: (event) => this.#apply(event),
    });
  }

  #linkFlow(owner: Identity): LinkFlow {
    this.#own(owner);
    const tokens = this.#keeper();
    if (!tokens) throw new Error("linking before the driver is known");
    const { platform, keys } = this.#deps;
    this.#linking ??= new LinkFlow({
      platform,
      keys,
      tokens,
      store: this.#store,
      owner,
      isLinked: () => this.#state.link.status === "linked",
      onLinked: (linked) => this.#linked(linked),
    });
    return this.#linking;
  }

  async #linked({ email, region, timeZone, warehouses }: Linked): Promise<void> {
    const change = {
      proxyInstalled: true,
      flexEmail: email,
      humanRegion: region.name,
      humanTimezone: timeZone,
    };
    this.#store.enqueue({ kind: "record_changed", change }, this.#deps.now());
    this.#earnings.forget();
    await this.#apply({ kind: "linked", warehouses });
    await this.#arm();
    // Told to D1 before the driver hears of it: the next screen asks D1.
    if (this.#owner) await this.#housekeeping.flush(this.#owner);
  }
}
