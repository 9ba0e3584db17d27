import type { CalendarBlock, CalendarChange, CalendarFeed } from "../../db/shapes/work/calendar.ts";
import type { Language } from "../../db/shapes/language.ts";
import type { Check, KeptChecks } from "../../db/shapes/work/checks.ts";
import type { CheckInResult, DevicePosition, NextBlockResponse } from "../../db/shapes/work/check-in.ts";
import type { BlockList, LogEntry, WonBlock, WonPosition, WonSum } from "../../db/shapes/log/driver-log.ts";
import type { EarningsResponse } from "../../db/shapes/work/earnings.ts";
import type { Answer, LinkedQuestion, Question, QuestionId } from "../../db/shapes/work/question.ts";
import type { LinkResult } from "../../db/shapes/work/linking.ts";
import type { OtherOffersResponse } from "../../db/shapes/work/other-offers.ts";
import type { GivenBackBlock } from "../../db/shapes/work/given-back.ts";
import type { Snapshot } from "../../db/shapes/work/live.ts";
import type { PushSubscriptionInput } from "../../db/shapes/notifications.ts";
import type { Block, Warehouse } from "../../db/shapes/work/offer.ts";
import type { Announcement, AnnouncementPushes } from "../../db/shapes/announcement.ts";
import type { DriverNews } from "../../db/shapes/driver-news.ts";
import type { DriverOwner, Profile, ServiceChange } from "../../db/shapes/profile.ts";
import type { ResentText } from "../../db/shapes/text-delivery.ts";
import type { BlockId, EpochMs, WarehouseId } from "../../db/shapes/units.ts";
import type { QuestionLink } from "../texts/question-link.ts";
import type { LogPage } from "./log-list.ts";

/** `asking`: where the database has to be asked, what the answer is confirmed with. */
export type KnownSession = { known: true; until: EpochMs } | { known: false; asking: string };

/** The Worker's knowledge of a driver: their profile, and whether the number that they prefer is not proved yet. */
export type KnownDriver = { profile: Profile; isNumberPending: boolean };

/** The session that a push subscription ends with; null where another pool signs drivers in. */
export type PushSession = { id: string; expiresAt: EpochMs } | null;

/**
 * The answer to a calendar program: `gone` for an address that was renewed or removed, in the driver's language while there is
 * a driver.
 */
export type CalendarRead =
  | { kind: "gone"; language?: Language; timeZone?: string }
  /** The driver's zone isn't given by an object of the release before. */
  | { kind: "paused"; language: Language; timeZone?: string; since: EpochMs }
  | { kind: "on"; language: Language; withPay: boolean; blocks: CalendarBlock[] };

/**
 * The RPC interface of the driver's object. Declared apart from the class, so that the bindings (`Env`) don't
 * depend on it.
 */
export interface DriverRpc extends Rpc.DurableObjectBranded {
  /** Passes the driver's record from D1, which the object accepts if it is newer, and what to notify the driver of. */
  configure(
    owner: DriverOwner,
    profile: Profile,
    serviceChanges?: readonly ServiceChange[],
    news?: readonly DriverNews[],
  ): Promise<void>;
  /**
   * Notifies the driver of a line of the operators, once, and lets open dashboards ask for it. Told again, it says what
   * the pushes came to.
   */
  announce(announcement: Announcement): Promise<AnnouncementPushes>;
  /** The contents of an open dashboard. */
  snapshot(): Snapshot;
  /** One page of the log, oldest first. */
  logPage(page: { after: number; limit: number }): LogEntry[];
  /** The platform's listings after an instant, as rows of `storedListing`, oldest first, up to the last (`isLastPage`). */
  listingPage(page: { after: EpochMs; limit: number }): { at: EpochMs; value: string; version: number }[];
  /** One page of a list, newest first. */
  list(name: BlockList, page: LogPage): LogEntry[];
  /** How many entries a list has. */
  countList(name: BlockList): number;
  /** One page of the captured blocks, after a position of their list. */
  wonBlocks(page: { after: WonPosition; limit: number }): Promise<WonBlock[]>;
  /** The sums of all captured blocks, by currency, that of the newest first. */
  wonSums(): Promise<WonSum[]>;
  /** The driver's warehouses, read again from the platform if they are some minutes old. */
  warehouses(): Promise<readonly Warehouse[]>;
  /** Those of the last reading, without asking the platform; null if there was none. */
  knownWarehouses(): WarehouseId[] | null;
  /** Earnings of this week and last; null if no account is linked or they were never fetched. */
  earnings(): Promise<EarningsResponse["earnings"]>;
  startLink(owner: DriverOwner, credentials: { email: string; password: string }): Promise<LinkResult>;
  submitLinkCode(owner: DriverOwner, code: string): Promise<LinkResult>;
  resendLinkCode(owner: DriverOwner): Promise<LinkResult>;
  linkingEmail(): Promise<string | null>;
  linkStatus(owner: DriverOwner): Promise<LinkResult>;
  /** The block to check in to next, and its warehouse. */
  nextBlock(): Promise<NextBlockResponse>;
  checkIn(blockId: BlockId, position: DevicePosition): Promise<CheckInResult>;
  /** Blocks that have not started and that the driver gave back. */
  givenBack(): readonly GivenBackBlock[];
  /** The list of what has to be right for a capture. */
  checks(owner: DriverOwner, known: KnownDriver): Promise<Check[]>;
  /** The stored part of the checks. */
  keptChecks(): KeptChecks;
  /** The driver's calendar address; null if there is none. */
  calendar(): CalendarFeed | null;
  /** @returns the address after the change */
  changeCalendar(owner: DriverOwner, change: CalendarChange): Promise<CalendarFeed | null>;
  readCalendar(feedId: string): CalendarRead;
  /** The blocks of the last year and those ahead, the earliest start first. */
  heldBlocks(): Block[];
  /** Offers that the driver could take in place of a held block; null if they don't hold it. */
  otherOffers(blockId: BlockId): OtherOffersResponse | null;
  /** Lets a block that the driver gave back be taken if it is offered again. False if there is no such block. */
  takeAgain(blockId: BlockId): Promise<boolean>;
  /** Answers a question about an offer, and returns it; null if there is no such question. */
  answerQuestion(questionId: QuestionId, answer: Answer): Promise<Question | null>;
  /** The question of a link; null if the link has ended. */
  linkedQuestion(link: QuestionLink): Promise<LinkedQuestion | null>;
  answerLinkedQuestion(link: QuestionLink, answer: Answer): Promise<LinkedQuestion | null>;
  /** Whether the object is linked to an account of the platform, by the platform's own id. */
  holdsPlatformAccount(accountId: string): boolean;
  /** Unlinks the platform account, and ends its session on the platform if that can be reached. */
  unlink(): Promise<void>;
  /** Erases everything that the object stores. */
  deleteAccount(): Promise<void>;
  /** Closes the sockets of all sessions but these, so that they don't come back, and ends the push subscriptions. */
  keepSessions(live: readonly string[]): void;
  /** Whether a session was found live within the hour, and has not ended since. */
  knowsSession(sessionId: string): KnownSession;
  /** The database has found a session live. Ignored if sessions have ended since `asking`. */
  confirmSession(sessionId: string, asking: string): void;
  /** Subscribes a browser to the driver's notifications, for as long as the session in which it asks for them lasts. */
  addPushSubscription(
    owner: DriverOwner,
    subscription: PushSubscriptionInput,
    session: PushSession,
  ): Promise<void>;
  /** Pushes to the browsers of these sessions that the password was set by a texted code, whatever the driver's preferences. */
  warnOfRecovery(sessions: readonly string[]): Promise<void>;
  removePushSubscription(endpoint: string): void;
  hasPushSubscription(endpoint: string): boolean;
  /** The session of each subscribed browser; null if unknown. */
  pushSessions(): (string | null)[];
  /** The subjects of the driver's texts in the last three days, oldest first, by the ids at the gateway. */
  sentTexts(): { id: string; at: EpochMs; about: object }[];
  /** Whether it is known what a text was about, so that it can be sent again. */
  keepsText(id: string): boolean;
  /** Sends a text again that did not arrive, to a number of the driver's. */
  resendText(text: { id: string; to: string }): Promise<ResentText>;
  /** The number of stored rows that could not be parsed and are set aside. */
  countUnreadableRows(): number;
  /**
   * Seals the platform's tokens under the current master key.
   * @returns the id of the key that they are sealed under now; null if there are none
   */
  resealTokens(): Promise<string | null>;
  /**
   * Sets the alarm again in case it was lost, asks D1 for the record in case an update was, and runs maintenance.
   * @returns whether there still is a driver to work for
   */
  wake(): Promise<boolean>;
  /**
   * Does the work of an alarm, for the ticker that the settings name. For any other it sees to its alarm.
   * @returns when it is next due; null if the object's own alarm wakes it
   */
  tick(tickerName: string): Promise<EpochMs | null>;
  /** Opens a dashboard's WebSocket. The Worker has verified the ticket. */
  fetch(request: Request): Promise<Response>;
}

/**
 * Of a request for a socket: the session that it is for. Of the response: `KNOWN`, or what the database's answer is
 * confirmed with.
 */
export const SESSION_HEADER = "x-jornada-session";
export const KNOWN = "known";
