import { DurableObject } from "cloudflare:workers";
import type { DevicePosition, NextBlockResponse, CheckInResult } from "../../db/shapes/check-in.ts";
import type { EarningsResponse } from "../../db/shapes/earnings.ts";
import type { Snapshot } from "../../db/shapes/live.ts";
import type { DriverRpc } from "../runtime/driver-rpc.ts";
import type { Env } from "../runtime/env.ts";
import { toDriverOwner } from "../../db/queries/drivers.ts";
import { createDeps, type Deps } from "../deps.ts";
import { initialState, recover, step } from "../engine/machine.ts";
import type { DriverState, MachineEvent, StepContext } from "../engine/types.ts";
import type { Profile, ServiceChange, DriverOwner } from "../../db/shapes/profile.ts";
import type { Warehouse } from "../../db/shapes/offer.ts";
import type { BlockId } from "../../db/shapes/units.ts";
import type { PushSubscription } from "../push/push.ts";
import type { DriverContext } from "./driver-context.ts";
import { fetchRecord } from "./fetch-record.ts";
import { Maintenance } from "./maintenance.ts";
import type { LinkFlow } from "./link-flow.ts";
import type { LinkResult } from "../../db/shapes/linking.ts";
import { PlatformGateway } from "./platform-gateway.ts";
import { Recorder } from "./recorder.ts";
import { Sockets } from "./sockets.ts";
import { Store } from "./storage/store.ts";
import type { LogEntry, BlockList } from "../../db/shapes/driver-log.ts";
import { AlarmLoop } from "./alarm-loop.ts";
import { buildSnapshot, withCurrentStatus } from "./snapshot.ts";

/** One driver: the clock, the storage, the alarm and the sockets. What to do, the engine decides. */
export class Driver extends DurableObject<Env> implements DriverRpc {
  readonly #deps: Deps;
  readonly #store: Store;
  readonly #sockets: Sockets;
  readonly #recorder: Recorder;
  readonly #platform: PlatformGateway;
  readonly #alarmLoop: AlarmLoop;
  readonly #maintenance: Maintenance;
  #state: DriverState;
  #owner: DriverOwner | null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#deps = createDeps(env);
    this.#store = new Store(ctx.storage, { ...this.#deps, objectName: ctx.id.name ?? null });
    this.#owner = this.#store.state.owner();
    const initial = initialState(crypto.randomUUID().slice(0, 13));
    const saved = this.#store.load(initial);
    this.#state = recover(saved);
    this.#store.save(saved, this.#state);
    const core: DriverContext = {
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
    this.#platform = new PlatformGateway({
      ...core,
      arm: () => this.#alarmLoop.arm(),
      flushOutbox: async () => {
        if (this.#owner) await this.#maintenance.flush(this.#owner);
      },
    });
    this.#alarmLoop = new AlarmLoop({
      ...core,
      storage: ctx.storage,
      context: () => this.#context(),
      checkVerification: () => this.#platform.checkVerification(),
      maintain: () => this.#maintain(),
    });
    this.#maintenance = new Maintenance(
      {
        nextWakeAt: () => this.#alarmLoop.nextWakeAt(),
        revision: () => this.#state.profile?.revision ?? -1,
        applyProfile: async (owner, profile) => {
          this.#setOwner(owner);
          await this.#apply({ kind: "profile_changed", profile });
          await this.#alarmLoop.arm();
        },
      },
      { deps: this.#deps, store: this.#store },
    );
    const isIncomplete = this.#owner === null || this.#state.profile === null;
    if (isIncomplete && this.#store.state.hasRows())
      void ctx.blockConcurrencyWhile(() => this.#restoreFromD1());
  }

  /** Owner or settings are missing from a storage in use: they could not be read. D1 has them, too. */
  async #restoreFromD1(): Promise<void> {
    const record = await fetchRecord(this.ctx.id.name ?? null, this.#deps);
    if (!record) return;
    this.#setOwner(toDriverOwner(record));
    await this.#apply({ kind: "profile_changed", profile: record.profile });
    await this.#alarmLoop.arm();
  }

  /** Takes D1's copy of the driver, where it is newer than the object's, and what led to it where the driver is to hear. */
  async configure(
    owner: DriverOwner,
    profile: Profile,
    serviceChanges: readonly ServiceChange[] = [],
  ): Promise<void> {
    this.#setOwner(owner);
    await this.#apply({ kind: "profile_changed", profile });
    if (serviceChanges.length > 0) await this.#apply({ kind: "service_changed", serviceChanges });
    this.#sockets.sendChanged(this.#deps.now());
    await this.#alarmLoop.arm();
    // Switched on or off: the watchdog must learn of it now, not with the next heartbeat.
    this.#maintenance.heartbeatSoon();
    this.#maintain();
  }

  snapshot(): Snapshot {
    const now = this.#deps.now();
    return buildSnapshot(this.#state, {
      events: this.#store.events,
      now,
      timeZone: this.#owner?.timeZone ?? "UTC",
    });
  }

  /** One page of the whole log, oldest first. */
  logPage(page: { after: number; limit: number }): LogEntry[] {
    return this.#store.events.page(page);
  }

  /** One page of a list, newest first. */
  list(name: BlockList, page: { cursor: number; limit: number }): LogEntry[] {
    return withCurrentStatus(this.#store.events.list(name, page), this.#state.held);
  }

  warehouses(): readonly Warehouse[] {
    return this.#state.warehouses;
  }

  /** What the driver earned in this week and the last; null where no account is linked, or none was ever read. */
  async earnings(): Promise<EarningsResponse["earnings"]> {
    return this.#platform.earnings();
  }

  async startLink(owner: DriverOwner, credentials: { email: string; password: string }): Promise<LinkResult> {
    return this.#linkFlow(owner).login(credentials);
  }

  async submitLinkCode(owner: DriverOwner, code: string): Promise<LinkResult> {
    return this.#linkFlow(owner).submitCode(code);
  }

  async resendLinkCode(owner: DriverOwner): Promise<LinkResult> {
    return this.#linkFlow(owner).resendCode();
  }

  async linkStatus(owner: DriverOwner): Promise<LinkResult> {
    return this.#linkFlow(owner).fetchStatus();
  }

  /** The block to arrive at, and where. */
  async nextBlock(): Promise<NextBlockResponse> {
    return this.#platform.checkInService().nextBlock();
  }

  async checkIn(blockId: BlockId, position: DevicePosition): Promise<CheckInResult> {
    return this.#platform.checkInService().checkIn(blockId, position);
  }

  /** Forgets the platform account. The platform is told where it can be reached. */
  async unlink(): Promise<void> {
    await this.#platform.unlink();
  }

  /** The driver goes for good: the platform is told where it can be reached, and nothing stays here. */
  async deleteAccount(): Promise<void> {
    await this.#platform.endSession();
    this.#platform.detach();
    this.#owner = null;
    this.#sockets.closeAll();
    // A round under way may still copy to D1, and from it: whoever called erases D1 after this.
    await this.#maintenance.drain();
    await this.ctx.blockConcurrencyWhile(async () => {
      this.#state = initialState(crypto.randomUUID().slice(0, 13));
      await this.#store.reset();
    });
  }

  /** A browser listens for its driver from now on. */
  addPushSubscription(owner: DriverOwner, subscription: PushSubscription): void {
    this.#setOwner(owner);
    this.#store.pushSubscriptions.add(subscription);
  }

  removePushSubscription(endpoint: string): void {
    this.#store.pushSubscriptions.remove(endpoint);
  }

  /** How many browsers listen for the driver. */
  countPushSubscriptions(): number {
    return this.#store.pushSubscriptions.list().length;
  }

  /** How many rows of the storage could not be read and are set aside. */
  countUnreadableRows(): number {
    return this.#store.unreadable.count();
  }

  /** The watchdog's touch: looks whether an alarm is due that never rang. */
  async wake(): Promise<void> {
    await this.#alarmLoop.arm();
    this.#maintain();
  }

  /** A dashboard, with a ticket that the Worker has verified: each is good once. */
  override async fetch(request: Request): Promise<Response> {
    const now = this.#deps.now();
    const ticketId = request.headers.get("x-jornada-ticket-id");
    const expiresAt = Number(request.headers.get("x-jornada-ticket-expires"));
    if (!ticketId || !this.#store.tickets.redeem(ticketId, expiresAt, now))
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
    await this.#alarmLoop.runOnce();
    this.#maintain();
  }

  /** Loads, steps, saves, acts. Up to the first await all of it is one transaction. */
  async #apply(event: MachineEvent): Promise<void> {
    const before = this.#state;
    const { state, effects } = step(before, event, this.#context());
    this.#state = state;
    this.#store.save(before, state);
    this.#recorder.record({ before, event, state, effects }, this.#owner, this.#deps.now());
    await this.#platform.performAll(effects);
  }

  /** Beside whatever the object does now. */
  #maintain(): void {
    if (this.#owner) this.ctx.waitUntil(this.#maintenance.run(this.#owner));
  }

  #context(): StepContext {
    return { now: this.#deps.now(), roll: this.#deps.roll(), settings: this.#deps.config.engine };
  }

  #setOwner(owner: DriverOwner): void {
    if (JSON.stringify(owner) === JSON.stringify(this.#owner)) return;
    const isOtherDriver = owner.driverId !== this.#owner?.driverId;
    this.#owner = owner;
    this.#platform.attach({ isOther: isOtherDriver });
    this.#store.state.write("owner", owner);
  }

  #linkFlow(owner: DriverOwner): LinkFlow {
    this.#setOwner(owner);
    return this.#platform.linkFlow();
  }
}
