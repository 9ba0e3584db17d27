import { DurableObject } from "cloudflare:workers";
import type { DevicePosition, NextBlockAnswer } from "../../worker/contract/arrival.ts";
import type { EarningsAnswer } from "../../worker/contract/earnings.ts";
import type { Snapshot } from "../../worker/contract/live.ts";
import type { Env } from "../config.ts";
import { createDeps, type Deps } from "../deps.ts";
import { initialState, recover, step } from "../engine/machine.ts";
import type {
  DriverState,
  MachineEvent,
  Profile,
  ServiceNews,
  StepContext,
  Warehouse,
} from "../engine/types.ts";
import type { BlockId } from "../engine/units.ts";
import type { PushSubscription } from "../push/push.ts";
import type { ArrivalStep } from "./arriving.ts";
import type { Core } from "./core.ts";
import { Housekeeping } from "./housekeeping.ts";
import type { LinkFlow, LinkStep } from "./linking.ts";
import { PlatformAccount } from "./platform-account.ts";
import { Recorder } from "./recorder.ts";
import { Sockets } from "./sockets.ts";
import { Store } from "./store.ts";
import type { Identity } from "./stored.ts";
import type { EventRow, ListName } from "./tables/events.ts";
import { Turns } from "./turns.ts";
import { takeSnapshot, withStanding } from "./view.ts";

/** One driver: the clock, the storage, the alarm and the sockets. What to do, the engine decides. */
export class Driver extends DurableObject<Env> {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #sockets: Sockets;
  readonly #recorder: Recorder;
  readonly #account: PlatformAccount;
  readonly #turns: Turns;
  readonly #housekeeping: Housekeeping;
  #state: DriverState;
  #owner: Identity | null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#deps = createDeps(env);
    this.#store = new Store(ctx.storage);
    this.#owner = this.#store.state.identity();
    const initial = initialState(crypto.randomUUID().slice(0, 13));
    const saved = this.#store.state.load(initial);
    this.#state = recover(saved);
    this.#store.state.save(initial, this.#state);
    const core: Core = {
      deps: this.#deps,
      store: this.#store,
      owner: () => this.#owner,
      state: () => this.#state,
      apply: (event) => this.#apply(event),
    };
    this.#sockets = new Sockets(ctx, { events: this.#store.events, snapshot: () => this.snapshot() });
    this.#recorder = new Recorder({
      store: this.#store,
      sockets: this.#sockets,
      config: this.#deps.config,
    });
    this.#account = new PlatformAccount({
      ...core,
      arm: () => this.#turns.arm(),
      flush: async () => {
        if (this.#owner) await this.#housekeeping.flush(this.#owner);
      },
    });
    this.#turns = new Turns({
      ...core,
      storage: ctx.storage,
      context: () => this.#context(),
      askVerification: () => this.#account.askVerification(),
      keepHouse: () => this.#keepHouse(),
    });
    this.#housekeeping = new Housekeeping(
      {
        nextAt: () => this.#turns.nextAt(),
        revision: () => this.#state.profile?.revision ?? -1,
        take: async (owner, profile) => {
          this.#own(owner);
          await this.#apply({ kind: "profile_changed", profile });
          await this.#turns.arm();
        },
      },
      { deps: this.#deps, store: this.#store },
    );
  }

  /** Takes D1's copy of the driver, where it is newer than the object's, and what led to it where the driver is to hear. */
  async configure(owner: Identity, profile: Profile, news: readonly ServiceNews[] = []): Promise<void> {
    this.#own(owner);
    await this.#apply({ kind: "profile_changed", profile });
    if (news.length > 0) await this.#apply({ kind: "news_arrived", news });
    this.#sockets.tellChanged(this.#deps.now());
    await this.#turns.arm();
    // Switched on or off: the watchdog must learn of it now, not with the next heartbeat.
    this.#housekeeping.beatSoon();
    this.#keepHouse();
  }

  snapshot(): Snapshot {
    const now = this.#deps.now();
    return takeSnapshot(this.#state, {
      events: this.#store.events,
      now,
      timeZone: this.#owner?.timeZone ?? "UTC",
    });
  }

  /** One page of the whole log, oldest first. */
  log(page: { after: number; limit: number }): EventRow[] {
    return this.#store.events.page(page);
  }

  /** One page of a list, newest first. */
  list(name: ListName, page: { cursor: number; limit: number }): EventRow[] {
    return withStanding(this.#store.events.list(name, page), this.#state.held);
  }

  warehouses(): readonly Warehouse[] {
    return this.#state.warehouses;
  }

  /** What the driver earned in this week and the last; null where no account is linked, or none was ever read. */
  async earnings(): Promise<EarningsAnswer["earnings"]> {
    return this.#account.earnings();
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
    return this.#account.arriving().next();
  }

  async checkIn(blockId: BlockId, position: DevicePosition): Promise<ArrivalStep> {
    return this.#account.arriving().checkIn(blockId, position);
  }

  /** Forgets the platform account. The platform is told where it can be reached. */
  async unlink(): Promise<void> {
    await this.#account.unlink();
  }

  /** The driver goes for good: the platform is told where it can be reached, and nothing stays here. */
  async leave(): Promise<void> {
    await this.#account.endSession();
    this.#account.leave();
    this.#owner = null;
    this.#sockets.dismiss();
    // A round under way may still copy to D1, and from it: whoever called erases D1 after this.
    await this.#housekeeping.rest();
    await this.ctx.blockConcurrencyWhile(async () => {
      this.#state = initialState(crypto.randomUUID().slice(0, 13));
      await this.#store.wipe();
    });
  }

  /** A browser listens for its driver from now on. */
  addBrowser(owner: Identity, browser: PushSubscription): void {
    this.#own(owner);
    this.#store.browsers.add(browser);
  }

  removeBrowser(endpoint: string): void {
    this.#store.browsers.drop(endpoint);
  }

  /** How many browsers listen for the driver. */
  countBrowsers(): number {
    return this.#store.browsers.list().length;
  }

  /** The watchdog's touch: looks whether an alarm is due that never rang. */
  async poke(): Promise<void> {
    await this.#turns.arm();
    this.#keepHouse();
  }

  /** A dashboard, with a ticket that the Worker has verified: each is good once. */
  override async fetch(request: Request): Promise<Response> {
    const now = this.#deps.now();
    const ticketId = request.headers.get("x-jornada-ticket-id");
    const expiresAt = Number(request.headers.get("x-jornada-ticket-expires"));
    if (!ticketId || !this.#store.tickets.use(ticketId, expiresAt, now))
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

  override async alarm(): Promise<void> {
    await this.#turns.take();
    this.#keepHouse();
  }

  /** Loads, steps, saves, acts. Up to the first await all of it is one transaction. */
  async #apply(event: MachineEvent): Promise<void> {
    const before = this.#state;
    const { state, effects } = step(before, event, this.#context());
    this.#state = state;
    this.#store.state.save(before, state);
    this.#recorder.record({ before, event, state, effects }, this.#owner, this.#deps.now());
    await this.#account.act(effects);
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
    const isOther = owner.driverId !== this.#owner?.driverId;
    this.#owner = owner;
    this.#account.meet({ isOther });
    this.#store.state.write("identity", owner);
  }

  #linkFlow(owner: Identity): LinkFlow {
    this.#own(owner);
    return this.#account.linking();
  }
}
