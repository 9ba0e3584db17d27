import { DurableObject } from "cloudflare:workers";
import type { ResentText } from "../../db/shapes/text-delivery.ts";
import type { CalendarChange, CalendarFeed } from "../../db/shapes/work/calendar.ts";
import type { Check, KeptChecks } from "../../db/shapes/work/checks.ts";
import type { CheckInResult, DevicePosition, NextBlockResponse } from "../../db/shapes/work/check-in.ts";
import type { BlockList, LogEntry, WonBlock, WonPosition, WonSum } from "../../db/shapes/log/driver-log.ts";
import type { EarningsResponse } from "../../db/shapes/work/earnings.ts";
import type { OtherOffersResponse } from "../../db/shapes/work/other-offers.ts";
import type { GivenBackBlock } from "../../db/shapes/work/given-back.ts";
import type { Answer, LinkedQuestion, Question, QuestionId } from "../../db/shapes/work/question.ts";
import type { LinkResult } from "../../db/shapes/work/linking.ts";
import type { Snapshot } from "../../db/shapes/work/live.ts";
import type { PushSubscriptionInput } from "../../db/shapes/notifications.ts";
import type { Block, Warehouse } from "../../db/shapes/work/offer.ts";
import type { Announcement, AnnouncementPushes } from "../../db/shapes/announcement.ts";
import type { DriverNews } from "../../db/shapes/driver-news.ts";
import type { DriverOwner, Profile, ServiceChange } from "../../db/shapes/profile.ts";
import type { BlockId, EpochMs, WarehouseId } from "../../db/shapes/units.ts";
import { otherOffersAt } from "../engine/give-back.ts";
import {
  type CalendarRead,
  type DriverRpc,
  type KnownDriver,
  type KnownSession,
  type PushSession,
  SESSION_HEADER,
} from "../runtime/driver-rpc.ts";
import type { Env } from "../runtime/env.ts";
import type { LogPage } from "../runtime/log-list.ts";
import type { QuestionLink } from "../texts/question-link.ts";
import { createParts, type DriverParts } from "./parts.ts";
import { resendText } from "./notify/resend-text.ts";
import type { ResendableText } from "./storage/tables/sent-texts.ts";
import { describeErrorsOf } from "../runtime/describe-error.ts";
import { buildSnapshot } from "./snapshot.ts";
import { withCurrentStatus } from "./services/won-history.ts";
import type { ListingRow } from "./storage/tables/listings.ts";

/**
 * The Durable Object of one driver. It owns clock, storage, alarm and sockets; the engine decides what to do.
 */
export class Driver extends DurableObject<Env> implements DriverRpc {
  static {
    describeErrorsOf(this.prototype);
  }

  readonly #parts: DriverParts;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#parts = createParts(ctx, env);
    const { machine, store, alarm, record } = this.#parts;
    if (machine.hadFarWait) void ctx.blockConcurrencyWhile(() => alarm.set());
    const isIncomplete = machine.owner === null || machine.state.profile === null;
    if (isIncomplete && store.state.hasRows()) void ctx.blockConcurrencyWhile(() => record.restore());
  }

  configure(
    owner: DriverOwner,
    profile: Profile,
    serviceChanges: readonly ServiceChange[] = [],
    news: readonly DriverNews[] = [],
  ): Promise<void> {
    return this.#parts.record.configure(owner, profile, { serviceChanges, news });
  }

  announce(announcement: Announcement): Promise<AnnouncementPushes> {
    return this.#parts.record.announce(announcement);
  }

  snapshot(): Snapshot {
    const { state, owner } = this.#parts.machine;
    const { now, config } = this.#parts.deps;
    const { currency } = config.engine;
    return buildSnapshot(state, { store: this.#parts.store, owner, currency, now: now() });
  }

  logPage(page: { after: number; limit: number }): LogEntry[] {
    return this.#parts.store.events.page(page);
  }

  listingPage(page: { after: EpochMs; limit: number }): ListingRow[] {
    // The newest changes wait in memory until something else is written.
    this.#parts.listings.store();
    return this.#parts.store.listings.page(page);
  }

  list(name: BlockList, page: LogPage): LogEntry[] {
    return withCurrentStatus(this.#parts.store.events.list(name, page), this.#parts.machine.state.held);
  }

  countList(name: BlockList): number {
    return this.#parts.store.events.count(name);
  }

  wonBlocks(page: { after: WonPosition; limit: number }): Promise<WonBlock[]> {
    return this.#withReport(this.#parts.won.page(this.#parts.ownRecord.driverId(), page));
  }

  wonSums(): Promise<WonSum[]> {
    return this.#withReport(this.#parts.won.sums(this.#parts.ownRecord.driverId()));
  }

  async warehouses(): Promise<readonly Warehouse[]> {
    return this.#withReport(this.#parts.warehouses.fetch());
  }

  knownWarehouses(): WarehouseId[] | null {
    const { warehouses } = this.#parts.machine.state;
    return warehouses.length === 0 ? null : warehouses.map(({ warehouseId }) => warehouseId);
  }

  async earnings(): Promise<EarningsResponse["earnings"]> {
    return this.#withReport(this.#parts.earnings.fetch());
  }

  startLink(owner: DriverOwner, credentials: { email: string; password: string }): Promise<LinkResult> {
    return this.#parts.linkSteps.start(owner, credentials);
  }

  submitLinkCode(owner: DriverOwner, code: string): Promise<LinkResult> {
    return this.#parts.linkSteps.submitCode(owner, code);
  }

  async linkingEmail(): Promise<string | null> {
    return this.#parts.links.linkingEmail();
  }

  resendLinkCode(owner: DriverOwner): Promise<LinkResult> {
    return this.#parts.linkSteps.resendCode(owner);
  }

  linkStatus(owner: DriverOwner): Promise<LinkResult> {
    return this.#parts.linkSteps.status(owner);
  }

  async nextBlock(): Promise<NextBlockResponse> {
    return this.#parts.checkIns.nextBlock();
  }

  async checkIn(blockId: BlockId, position: DevicePosition): Promise<CheckInResult> {
    return this.#withReport(this.#parts.checkIns.checkIn(blockId, position));
  }

  givenBack(): readonly GivenBackBlock[] {
    return this.#parts.machine.state.givenBack;
  }

  otherOffers(blockId: BlockId): OtherOffersResponse | null {
    const { state } = this.#parts.machine;
    const block = state.held.find((held) => held.blockId === blockId);
    const clock = { now: this.#parts.deps.now(), settings: this.#parts.deps.config.engine };
    return block ? { offers: otherOffersAt(state, block, clock) } : null;
  }

  async takeAgain(blockId: BlockId): Promise<boolean> {
    if (!this.givenBack().some((block) => block.blockId === blockId)) return false;
    this.#parts.loop.dispatch({ kind: "take_again", blockId });
    await this.#parts.alarm.set();
    return true;
  }

  answerQuestion(questionId: QuestionId, answer: Answer): Promise<Question | null> {
    return this.#parts.questions.answer(questionId, answer);
  }

  linkedQuestion(link: QuestionLink): Promise<LinkedQuestion | null> {
    return this.#parts.questions.ofLink(link);
  }

  answerLinkedQuestion(link: QuestionLink, answer: Answer): Promise<LinkedQuestion | null> {
    return this.#parts.questions.answerLink(link, answer);
  }

  holdsPlatformAccount(accountId: string): boolean {
    return (
      this.#parts.machine.state.link.status === "linked" &&
      this.#parts.store.state.platformAccount() === accountId
    );
  }

  unlink(): Promise<void> {
    return this.#parts.offboarding.unlink();
  }

  deleteAccount(): Promise<void> {
    return this.#parts.offboarding.deleteAccount();
  }

  keepSessions(live: readonly string[]): void {
    this.#parts.sockets.closeOthers(live);
    this.#parts.store.liveSessions.keepSessions(live);
    this.#parts.store.pushSubscriptions.keepSessions(live, this.#parts.deps.now());
    this.#parts.calendar.keepSessions(live);
  }

  knowsSession(sessionId: string): KnownSession {
    return this.#parts.store.liveSessions.find(sessionId, this.#parts.deps.now());
  }

  confirmSession(sessionId: string, asking: string): void {
    if (this.#parts.machine.owner !== null)
      this.#parts.store.liveSessions.confirm(sessionId, asking, this.#parts.deps.now());
  }

  async checks(owner: DriverOwner, known: KnownDriver): Promise<Check[]> {
    await this.#parts.ownership.set(owner);
    return this.#parts.shiftChecks.list(owner, known);
  }

  keptChecks(): KeptChecks {
    return this.#parts.shiftChecks.kept();
  }

  calendar(): CalendarFeed | null {
    return this.#parts.calendar.feed();
  }

  async changeCalendar(owner: DriverOwner, change: CalendarChange): Promise<CalendarFeed | null> {
    await this.#parts.ownership.set(owner);
    return this.#parts.calendar.change(change);
  }

  readCalendar(feedId: string): CalendarRead {
    return this.#parts.calendar.read(feedId);
  }

  heldBlocks(): Block[] {
    return this.#parts.store.heldBlocks.list().map(({ block }) => block);
  }

  addPushSubscription(
    owner: DriverOwner,
    subscription: PushSubscriptionInput,
    session: PushSession,
  ): Promise<void> {
    return this.#parts.browsers.add(owner, subscription, session);
  }

  warnOfRecovery(sessions: readonly string[]): Promise<void> {
    return this.#parts.browsers.warnOfRecovery(sessions);
  }

  removePushSubscription(endpoint: string): void {
    this.#parts.browsers.remove(endpoint);
  }

  hasPushSubscription(endpoint: string): boolean {
    return this.#parts.browsers.has(endpoint);
  }

  pushSessions(): (string | null)[] {
    return this.#parts.browsers.sessions();
  }

  sentTexts(): ResendableText[] {
    return this.#parts.store.sentTexts.list(this.#parts.deps.now());
  }

  keepsText(id: string): boolean {
    return this.#parts.store.sentTexts.find(id, this.#parts.deps.now()) !== null;
  }

  async resendText(text: { id: string; to: string }): Promise<ResentText> {
    const { owner, state } = this.#parts.machine;
    if (owner === null) return "not_kept";
    return resendText(text, { owner, state, store: this.#parts.store, deps: this.#parts.deps });
  }

  countUnreadableRows(): number {
    return this.#parts.store.unreadable.count();
  }

  async resealTokens(): Promise<string | null> {
    return (await this.#parts.account.tokens()?.reseal()) ?? null;
  }

  async wake(): Promise<boolean> {
    // A watcher knows it, so there was an owner, which its storage has lost.
    if (this.#parts.machine.owner === null)
      await this.ctx.blockConcurrencyWhile(() => this.#parts.record.restore());
    if (this.#parts.machine.owner === null) return this.#parts.ownRecord.isKnown();
    if (await this.#parts.formerRegion.eraseIfLeft()) return false;
    // It was woken because the Worker could not reach it, or because the runtime lost its alarm.
    const hasLostAlarm = await this.#parts.alarm.isLost();
    this.#parts.alarm.forget();
    await this.#parts.alarm.set();
    if (hasLostAlarm) this.#parts.maintenance.startLate();
    else this.#parts.maintenance.startWithProfile();
    return true;
  }

  /** Opens a dashboard's socket. The Worker has verified the ticket; the object redeems it, since it works only once. */
  override async fetch(request: Request): Promise<Response> {
    if (await this.#parts.formerRegion.eraseIfLeft()) return new Response(null, { status: 401 });
    const now = this.#parts.deps.now();
    const ticketId = request.headers.get("x-jornada-ticket-id");
    const expiresAt = Number(request.headers.get("x-jornada-ticket-expires"));
    if (!ticketId || !this.#parts.store.tickets.redeem(ticketId, expiresAt, now))
      return new Response(null, { status: 401 });
    const sessionId = request.headers.get(SESSION_HEADER);
    return this.#parts.sockets.accept(
      sessionId,
      sessionId === null ? null : this.knowsSession(sessionId),
      now,
    );
  }

  override async webSocketMessage(socket: WebSocket, data: string | ArrayBuffer): Promise<void> {
    const { events } = this.#parts.store;
    const context = { events, snapshot: () => this.snapshot(), now: this.#parts.deps.now() };
    if (!this.#parts.sockets.receive(socket, data, context)) return;
    const { verification, phase } = this.#parts.machine.state;
    if (verification === null && phase.kind !== "limit_reached") return;
    await this.#parts.loop.settle({ kind: "driver_returned" });
    await this.#parts.alarm.set();
  }

  override webSocketClose(socket: WebSocket, code: number): void {
    if (socket.readyState !== WebSocket.CLOSED) socket.close(code === 1005 || code === 1006 ? 1000 : code);
  }

  override webSocketError(): void {
    this.#parts.deps.log("info", "live.socket.error", {
      driverId: this.#parts.machine.owner?.driverId ?? null,
    });
  }

  override async alarm(): Promise<void> {
    await this.#parts.alarmLoop.runOnce();
    this.#parts.maintenance.start();
  }

  async tick(tickerName: string): Promise<EpochMs | null> {
    if (this.#parts.machine.owner === null) return null;
    if (!this.#parts.ticker.isCalledBy(tickerName)) {
      // By now the settings name another ticker, or none.
      this.#parts.alarm.forget();
      await this.#parts.alarm.set();
      return null;
    }
    const nextAt = await this.#parts.ticker.during(async () => {
      await this.#parts.alarmLoop.runOnce();
      this.#parts.maintenance.start();
      return this.#parts.alarm.nextAt();
    });
    // The alarm was set behind a call for what has been done since.
    if (nextAt === null) await this.#parts.alarm.set();
    return nextAt;
  }

  /** A run of maintenance reports fields that could not be read: the object may leave memory before its next alarm. */
  async #withReport<Result>(call: Promise<Result>): Promise<Result> {
    const result = await call;
    this.#parts.maintenance.start();
    return result;
  }
}
