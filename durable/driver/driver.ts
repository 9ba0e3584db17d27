import { DurableObject } from "cloudflare:workers";
import type { ResentText } from "../../db/shapes/text-delivery.ts";
import type { CalendarChange, CalendarFeed } from "../../db/shapes/work/calendar.ts";
import type { Check, KeptChecks } from "../../db/shapes/work/checks.ts";
import type { CheckInResult, DevicePosition, NextBlockResponse } from "../../db/shapes/work/check-in.ts";
import type { BlockList, LogEntry, WonBlock, WonPosition, WonSum } from "../../db/shapes/work/driver-log.ts";
import type { EarningsResponse } from "../../db/shapes/work/earnings.ts";
import type { OtherOffersResponse } from "../../db/shapes/work/other-offers.ts";
import type { GivenBackBlock } from "../../db/shapes/work/given-back.ts";
import type { Answer, LinkedQuestion, Question, QuestionId } from "../../db/shapes/work/question.ts";
import type { LinkResult } from "../../db/shapes/work/linking.ts";
import type { Snapshot } from "../../db/shapes/work/live.ts";
import type { PushSubscriptionInput } from "../../db/shapes/notifications.ts";
import type { Block, Warehouse } from "../../db/shapes/work/offer.ts";
import type { Announcement, AnnouncementPushes } from "../../db/shapes/announcement.ts";
import { recoveryPush } from "./notify/recovery-push.ts";
import { isSpotNews, type DriverNews } from "../../db/shapes/driver-news.ts";
import type { DriverOwner, Profile, ServiceChange } from "../../db/shapes/profile.ts";
import type { BlockId, EpochMs, WarehouseId } from "../../db/shapes/units.ts";
import { toDriverOwner } from "../../db/queries/accounts/drivers.ts";
import type { Deps } from "../deps.ts";
import { otherOffersAt } from "../engine/other-offers.ts";
import type {
  CalendarRead,
  DriverRpc,
  KnownDriver,
  KnownSession,
  PushSession,
} from "../runtime/driver-rpc.ts";
import type { Env } from "../runtime/env.ts";
import { SESSION_HEADER } from "../runtime/session-header.ts";
import type { QuestionLink } from "../texts/question-link.ts";
import type { AlarmLoop } from "./alarm-loop.ts";
import type { Alarm } from "./alarm.ts";
import type { CalendarService } from "./services/calendar-service.ts";
import type { CheckInService } from "./services/check-in-service.ts";
import type { QuestionService } from "./services/question-service.ts";
import type { EarningsService } from "./services/earnings-service.ts";
import type { EventLoop } from "./event-loop.ts";
import { fetchRecord } from "./fetch-record.ts";
import type { LinkFlow } from "./services/link-flow.ts";
import type { FormerRegion } from "./former-region.ts";
import type { ListingLog } from "./listing-log.ts";
import type { Machine } from "./machine.ts";
import type { Maintenance } from "./maintenance.ts";
import type { Ownership } from "./ownership.ts";
import { createParts } from "./parts.ts";
import type { PlatformAccount } from "./platform-account.ts";
import { readNews, readProfile, readServiceChanges } from "./read-call.ts";
import type { Recorder } from "./recorder.ts";
import { resendText } from "./notify/resend-text.ts";
import type { ResendableText } from "./storage/tables/sent-texts.ts";
import { describeErrorsOf } from "./rpc-errors.ts";
import { buildSnapshot } from "./snapshot.ts";
import type { WonHistory } from "./services/won-history.ts";
import { withCurrentStatus } from "./services/won-list.ts";
import type { Sockets } from "./sockets.ts";
import type { ListingRow } from "./storage/tables/listings.ts";
import type { Store } from "./storage/store.ts";
import type { TickerCalls } from "./ticker-calls.ts";
import type { ShiftChecks } from "./services/shift-checks.ts";
import type { WeekMessage } from "./services/week-message.ts";
import type { WarehouseService } from "./services/warehouse-service.ts";

/** How long who announces something waits for the pushes: a service that is slower is asked about later. */
const PUSH_WAIT_MS = 2_000;

/**
 * The Durable Object of one driver. It owns clock, storage, alarm and sockets; the engine decides what to do.
 */
export class Driver extends DurableObject<Env> implements DriverRpc {
  static {
    describeErrorsOf(this.prototype);
  }

  readonly #deps: Deps;
  readonly #store: Store;
  readonly #sockets: Sockets;
  readonly #listings: ListingLog;
  readonly #recorder: Recorder;
  readonly #machine: Machine;
  readonly #account: PlatformAccount;
  readonly #ownership: Ownership;
  readonly #loop: EventLoop;
  readonly #alarm: Alarm;
  readonly #ticker: TickerCalls;
  readonly #links: LinkFlow;
  readonly #checkIns: CheckInService;
  readonly #questions: QuestionService;
  readonly #earnings: EarningsService;
  readonly #calendar: CalendarService;
  readonly #shiftChecks: ShiftChecks;
  readonly #weekMessage: WeekMessage;
  readonly #warehouses: WarehouseService;
  readonly #won: WonHistory;
  readonly #maintenance: Maintenance;
  readonly #alarmLoop: AlarmLoop;
  readonly #formerRegion: FormerRegion;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    const parts = createParts(ctx, env, () => this.deleteAccount());
    this.#deps = parts.deps;
    this.#store = parts.store;
    this.#sockets = parts.sockets;
    this.#listings = parts.listings;
    this.#recorder = parts.recorder;
    this.#machine = parts.machine;
    this.#account = parts.account;
    this.#ownership = parts.ownership;
    this.#loop = parts.loop;
    this.#alarm = parts.alarm;
    this.#ticker = parts.ticker;
    this.#links = parts.links;
    this.#checkIns = parts.checkIns;
    this.#questions = parts.questions;
    this.#earnings = parts.earnings;
    this.#calendar = parts.calendar;
    this.#shiftChecks = parts.shiftChecks;
    this.#weekMessage = parts.weekMessage;
    this.#warehouses = parts.warehouses;
    this.#won = parts.won;
    this.#maintenance = parts.maintenance;
    this.#alarmLoop = parts.alarmLoop;
    this.#formerRegion = parts.formerRegion;
    const { machine, store, alarm } = parts;
    if (machine.hadFarWait) void ctx.blockConcurrencyWhile(() => alarm.set());
    const isIncomplete = machine.owner === null || machine.state.profile === null;
    if (isIncomplete && store.state.hasRows()) void ctx.blockConcurrencyWhile(() => this.#restoreFromD1());
  }

  /** Restores owner and profile from D1 if the object's own copies could not be parsed. */
  async #restoreFromD1(): Promise<void> {
    const record = await fetchRecord(this.ctx.id.name ?? null, this.#deps);
    if (!record) return;
    this.#ownership.replace(toDriverOwner(record));
    this.#loop.dispatch({ kind: "profile_changed", profile: record.profile });
    await this.#alarm.set();
  }

  async configure(
    owner: DriverOwner,
    profile: Profile,
    serviceChanges: readonly ServiceChange[] = [],
    news: readonly DriverNews[] = [],
  ): Promise<void> {
    await this.#ownership.set(owner);
    this.#loop.dispatch({ kind: "profile_changed", profile: readProfile(profile) });
    const changes = readServiceChanges(serviceChanges);
    if (changes.length > 0) this.#loop.dispatch({ kind: "service_changed", serviceChanges: changes });
    const known = readNews(news);
    if (known.length > 0) this.#loop.dispatch({ kind: "news_arrived", news: known });
    if (known.some(({ kind }) => isSpotNews(kind))) this.#sockets.sendSpotMoved(this.#deps.now());
    this.#recorder.showChanged(this.#machine.state, this.#machine.owner, this.#deps.now());
    await this.#alarm.set();
    // The driver may have been switched on or off, so the watchdog's deadline must change now, not a minute later.
    this.#maintenance.startWithHeartbeat();
  }

  async announce(announcement: Announcement): Promise<AnnouncementPushes> {
    if (this.#machine.owner === null) return { sent: 0, failed: 0, pending: 0 };
    this.#loop.dispatch({ kind: "announced", announcement });
    this.#sockets.sendAnnounced(this.#deps.now());
    await this.#alarm.set();
    await this.#maintenance.sendFor(PUSH_WAIT_MS);
    return this.#store.announcementPushes.of(announcement.id);
  }

  snapshot(): Snapshot {
    const { state, owner } = this.#machine;
    const { now, config } = this.#deps;
    const { currency } = config.engine;
    return buildSnapshot(state, { events: this.#store.events, owner, currency, now: now() });
  }

  logPage(page: { after: number; limit: number }): LogEntry[] {
    return this.#store.events.page(page);
  }

  listingPage(page: { after: EpochMs; limit: number }): ListingRow[] {
    // The newest changes wait in memory until something else is written.
    this.#listings.store();
    return this.#store.listings.page(page);
  }

  list(name: BlockList, page: { cursor: number; limit: number }): LogEntry[] {
    return withCurrentStatus(this.#store.events.list(name, page), this.#machine.state.held);
  }

  countList(name: BlockList): number {
    return this.#store.events.count(name);
  }

  wonBlocks(page: { after: WonPosition; limit: number }): Promise<WonBlock[]> {
    return this.#withReport(this.#won.page(this.#maintenance.driverId(), page));
  }

  wonSums(): Promise<WonSum[]> {
    return this.#withReport(this.#won.sums(this.#maintenance.driverId()));
  }

  async warehouses(): Promise<readonly Warehouse[]> {
    return this.#withReport(this.#warehouses.fetch());
  }

  knownWarehouses(): WarehouseId[] | null {
    const { warehouses } = this.#machine.state;
    return warehouses.length === 0 ? null : warehouses.map(({ warehouseId }) => warehouseId);
  }

  async earnings(): Promise<EarningsResponse["earnings"]> {
    return this.#withReport(this.#earnings.fetch());
  }

  startLink(owner: DriverOwner, credentials: { email: string; password: string }): Promise<LinkResult> {
    return this.#link(owner, () => this.#links.login(credentials));
  }

  submitLinkCode(owner: DriverOwner, code: string): Promise<LinkResult> {
    return this.#link(owner, () => this.#links.submitCode(code));
  }

  async linkingEmail(): Promise<string | null> {
    return this.#links.linkingEmail();
  }

  resendLinkCode(owner: DriverOwner): Promise<LinkResult> {
    return this.#link(owner, () => this.#links.resendCode());
  }

  linkStatus(owner: DriverOwner): Promise<LinkResult> {
    return this.#link(owner, () => this.#links.fetchStatus());
  }

  async nextBlock(): Promise<NextBlockResponse> {
    return this.#checkIns.nextBlock();
  }

  async checkIn(blockId: BlockId, position: DevicePosition): Promise<CheckInResult> {
    return this.#withReport(this.#checkIns.checkIn(blockId, position));
  }

  givenBack(): readonly GivenBackBlock[] {
    return this.#machine.state.givenBack;
  }

  otherOffers(blockId: BlockId): OtherOffersResponse | null {
    const { state } = this.#machine;
    const block = state.held.find((held) => held.blockId === blockId);
    const clock = { now: this.#deps.now(), settings: this.#deps.config.engine };
    return block ? { offers: otherOffersAt(state, block, clock) } : null;
  }

  async takeAgain(blockId: BlockId): Promise<boolean> {
    if (!this.givenBack().some((block) => block.blockId === blockId)) return false;
    this.#loop.dispatch({ kind: "take_again", blockId });
    await this.#alarm.set();
    return true;
  }

  answerQuestion(questionId: QuestionId, answer: Answer): Promise<Question | null> {
    return this.#questions.answer(questionId, answer);
  }

  linkedQuestion(link: QuestionLink): Promise<LinkedQuestion | null> {
    return this.#questions.ofLink(link);
  }

  answerLinkedQuestion(link: QuestionLink, answer: Answer): Promise<LinkedQuestion | null> {
    return this.#questions.answerLink(link, answer);
  }

  holdsPlatformAccount(accountId: string): boolean {
    return this.#machine.state.link.status === "linked" && this.#store.state.platformAccount() === accountId;
  }

  async unlink(): Promise<void> {
    // After the account was deleted, in another tab, there is nothing left to end.
    if (!this.#store.state.hasRows()) return;
    this.#leavePlatform();
    this.#earnings.forget();
    // Without a known owner it is not known either whose record it would be.
    if (this.#machine.owner !== null) {
      const change = { proxyInstalled: false, flexEmail: null };
      this.#store.outbox.add({ kind: "record_changed", change }, this.#deps.now());
    }
    await this.#maintenance.flush();
    await this.#alarm.set();
  }

  async deleteAccount(): Promise<void> {
    this.#ownership.noteDeletion();
    this.#leavePlatform();
    this.#loop.abandonCalls();
    // Once, then the tokens are erased with everything else.
    await this.#maintenance.endSessions();
    this.#account.forgetOwner();
    this.#machine.disown();
    this.#sockets.closeAll();
    this.#store.liveSessions.keepSessions([]);
    // A maintenance run may still be copying to and from D1, and the caller erases D1 next.
    await this.#maintenance.drain();
    await this.#maintenance.endWatch();
    await this.ctx.blockConcurrencyWhile(async () => {
      this.#machine.reset();
      await this.#store.reset();
      this.#alarm.forget();
      this.#listings.forget();
      this.#shiftChecks.forget();
      this.#weekMessage.forget();
    });
  }

  keepSessions(live: readonly string[]): void {
    this.#sockets.closeOthers(live);
    this.#store.liveSessions.keepSessions(live);
    this.#store.pushSubscriptions.keepSessions(live, this.#deps.now());
    this.#calendar.keepSessions(live);
  }

  knowsSession(sessionId: string): KnownSession {
    return this.#store.liveSessions.find(sessionId, this.#deps.now());
  }

  confirmSession(sessionId: string, asking: string): void {
    if (this.#machine.owner !== null) this.#store.liveSessions.confirm(sessionId, asking, this.#deps.now());
  }

  async checks(owner: DriverOwner, known: KnownDriver): Promise<Check[]> {
    await this.#ownership.set(owner);
    return this.#shiftChecks.list(owner, known);
  }

  keptChecks(): KeptChecks {
    return this.#shiftChecks.kept();
  }

  calendar(): CalendarFeed | null {
    return this.#calendar.feed();
  }

  async changeCalendar(owner: DriverOwner, change: CalendarChange): Promise<CalendarFeed | null> {
    await this.#ownership.set(owner);
    return this.#calendar.change(change);
  }

  readCalendar(feedId: string): CalendarRead {
    return this.#calendar.read(feedId);
  }

  heldBlocks(): Block[] {
    return this.#store.heldBlocks.list().map(({ block }) => block);
  }

  async addPushSubscription(
    owner: DriverOwner,
    subscription: PushSubscriptionInput,
    session: PushSession,
  ): Promise<void> {
    await this.#ownership.set(owner);
    this.#store.pushSubscriptions.add({ ...subscription, session });
  }

  async warnOfRecovery(sessions: readonly string[]): Promise<void> {
    const { owner } = this.#machine;
    if (owner === null) return;
    const now = this.#deps.now();
    for (const { endpoint, session } of this.#store.pushSubscriptions.list(now))
      if (session !== null && sessions.includes(session.id))
        this.#store.outbox.add({ kind: "push", endpoint, message: recoveryPush(owner.language) }, now);
    // The subscriptions end next, with their sessions.
    await this.#maintenance.sendFor(PUSH_WAIT_MS);
  }

  removePushSubscription(endpoint: string): void {
    this.#store.pushSubscriptions.remove(endpoint);
  }

  hasPushSubscription(endpoint: string): boolean {
    return this.#store.pushSubscriptions.find(endpoint, this.#deps.now()) !== null;
  }

  pushSessions(): (string | null)[] {
    return this.#store.pushSubscriptions.list(this.#deps.now()).map(({ session }) => session?.id ?? null);
  }

  sentTexts(): ResendableText[] {
    return this.#store.sentTexts.list(this.#deps.now());
  }

  keepsText(id: string): boolean {
    return this.#store.sentTexts.find(id, this.#deps.now()) !== null;
  }

  async resendText(text: { id: string; to: string }): Promise<ResentText> {
    const { owner, state } = this.#machine;
    if (owner === null) return "not_kept";
    return resendText(text, { owner, state, store: this.#store, deps: this.#deps });
  }

  countUnreadableRows(): number {
    return this.#store.unreadable.count();
  }

  async resealTokens(): Promise<string | null> {
    return (await this.#account.tokens()?.reseal()) ?? null;
  }

  async wake(): Promise<boolean> {
    // It is watched over, so there was an owner, whom its storage has lost.
    if (this.#machine.owner === null) await this.ctx.blockConcurrencyWhile(() => this.#restoreFromD1());
    if (this.#machine.owner === null) return this.#maintenance.isRecordKnown();
    if (await this.#formerRegion.eraseIfLeft()) return false;
    // The runtime may have lost the alarm that was set.
    this.#alarm.forget();
    await this.#alarm.set();
    this.#maintenance.startWithProfile();
    return true;
  }

  /** Opens a dashboard's socket. The Worker has verified the ticket; here it is redeemed, since it works only once. */
  override async fetch(request: Request): Promise<Response> {
    if (await this.#formerRegion.eraseIfLeft()) return new Response(null, { status: 401 });
    const now = this.#deps.now();
    const ticketId = request.headers.get("x-jornada-ticket-id");
    const expiresAt = Number(request.headers.get("x-jornada-ticket-expires"));
    if (!ticketId || !this.#store.tickets.redeem(ticketId, expiresAt, now))
      return new Response(null, { status: 401 });
    const sessionId = request.headers.get(SESSION_HEADER);
    return this.#sockets.accept(sessionId, sessionId === null ? null : this.knowsSession(sessionId), now);
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const { events } = this.#store;
    const context = { events, snapshot: () => this.snapshot(), now: this.#deps.now() };
    if (!this.#sockets.receive(socket, data, context) || !this.#machine.state.verification) return;
    await this.#loop.settle({ kind: "driver_returned" });
    await this.#alarm.set();
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    if (socket.readyState !== WebSocket.CLOSED) socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }

  override webSocketError(): void {
    this.#deps.log("info", "live.socket.error", { driverId: this.#machine.owner?.driverId ?? null });
  }

  override async alarm(): Promise<void> {
    if (await this.#formerRegion.eraseIfLeft()) return;
    await this.#alarmLoop.runOnce();
    this.#maintenance.start();
  }

  async tick(tickerName: string): Promise<EpochMs | null> {
    if (this.#machine.owner === null || (await this.#formerRegion.eraseIfLeft())) return null;
    if (!this.#ticker.isCalledBy(tickerName)) {
      // The settings name another by now, or none.
      this.#alarm.forget();
      await this.#alarm.set();
      return null;
    }
    return this.#ticker.during(async () => {
      await this.#alarmLoop.runOnce();
      this.#maintenance.start();
      return this.#alarm.nextAt();
    });
  }

  /** Stops all work on the platform, then leaves its session to be ended: no accept follows, however slow it answers. */
  #leavePlatform(): void {
    const sealedTokens = this.#account.takeTokens();
    this.#loop.dispatch({ kind: "unlinked" });
    if (sealedTokens !== null)
      this.#store.outbox.add({ kind: "session_end", sealedTokens }, this.#deps.now());
  }

  /** A run of maintenance reports fields that could not be read: the object may leave memory before its next alarm. */
  async #withReport<Result>(call: Promise<Result>): Promise<Result> {
    const result = await call;
    this.#maintenance.start();
    return result;
  }

  /** Runs a linking step. If it changes the link, D1 is updated before we respond, since the next screen reads D1. */
  async #link(owner: DriverOwner, step: () => Promise<LinkResult>): Promise<LinkResult> {
    await this.#ownership.set(owner);
    const before = this.#machine.state.link;
    const result = await step();
    // A run reports fields that could not be read, whether or not the step succeeded.
    this.#maintenance.start();
    if (this.#machine.state.link !== before) {
      this.#earnings.forget();
      await this.#alarm.set();
      await this.#maintenance.flush();
      // Linking decides whether the driver has a spot in their city.
      await this.#maintenance.syncProfile();
    }
    return result;
  }
}
