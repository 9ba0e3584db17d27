import { updateDriver } from "../../db/queries/accounts/drivers.ts";
import { claimSpot } from "../../db/queries/spots/spots.ts";
import { noteNotice } from "../../db/queries/payments/renewal-notices.ts";
import { RENEWAL_TAG } from "../../db/shapes/money/renewal.ts";
import type { HeldNotification, TextAbout } from "./storage/text-about.ts";
import { ANNOUNCEMENT_TAG } from "../../db/shapes/announcement.ts";
import { wonDayOf } from "../../db/shapes/log/driver-log.ts";
import type { DurationMs, EpochMs } from "../../db/shapes/units.ts";
import { describeError } from "../runtime/describe-error.ts";
import type { Question } from "../../db/shapes/work/question.ts";
import type { PushMessage } from "../messaging/push.ts";
import { makeQuestionLink } from "../texts/question-link.ts";
import type { Deps } from "../deps.ts";
import type { DriverOwner } from "../../db/shapes/profile.ts";
import { endPlatformSession } from "./session-end.ts";
import type { OutboxItem, StoredSubscription } from "./storage/stored-shapes.ts";
import type { Store } from "./storage/store.ts";
import type { WonHistory } from "./services/won-history.ts";
import { isUrgentAbout } from "./notify/text-day.ts";
import { holdStoppedText, queueText } from "./notify/text-queue.ts";
import type { OutboxRow, RecordChange } from "./storage/tables/outbox.ts";

const FIRST_RETRY_MS = 2_000;
const MAX_RETRY_MS = 300_000;
const MAX_TEXT_TRIES = 3;
const MAX_PUSH_TRIES = 4;

/** About an hour. After that the tokens of a link that the driver has ended are dropped. */
const MAX_SESSION_END_TRIES = 20;

export type OutboxDeps = Pick<
  Deps,
  "db" | "driverTexts" | "push" | "config" | "log" | "now" | "sleep" | "keys" | "platform" | "connections"
> & {
  store: Store;
  won: Pick<WonHistory, "sendDays">;
  /** The rows that are being sent, by id: linking and unlinking send due rows while a run may be in progress. */
  sending: Map<number, Promise<void>>;
  /** Tells what waited for the end of quiet hours, if it still holds. */
  tellHeld: (about: HeldNotification, owner: DriverOwner) => void;
  /** The end of the wait that the platform asked for. */
  waitsUntil: () => EpochMs | null;
  /** Tells every other call to the platform of a wait that it states. */
  noteRefusal: (result: { kind: string; retryAt?: unknown }) => void;
};

/**
 * Sends the due rows: copies to D1 at least once, each text and each push at most once. Sessions are ended until the
 * platform has answered. Never throws.
 */
export async function flushOutbox(owner: DriverOwner, deps: OutboxDeps): Promise<void> {
  // Not awaited one by one, so neither a slow push service nor a slow platform delays the other rows or D1.
  const slow: Promise<void>[] = [];
  for (const row of deps.store.outbox.due(deps.now())) {
    const sent = sendOnce(row, deps.now(), owner, deps);
    if (row.item.kind === "push" || row.item.kind === "session_end") slow.push(sent);
    else await sent;
  }
  await Promise.all(slow);
}

/** Changes of the driver's record go one after the other, under a key of their own: no row has this id. */
const RECORD_KEY = 0;

/** Sends a row, or waits for the run that is sending it. Skips a row that was sent or postponed since the rows were read. */
function sendOnce(row: OutboxRow, dueBy: EpochMs, owner: DriverOwner, deps: OutboxDeps): Promise<void> {
  const { store, sending } = deps;
  const isOfRecord = row.item.kind === "record_changed";
  const key = isOfRecord ? RECORD_KEY : row.id;
  const underWay = sending.get(key);
  if (underWay && isOfRecord) return underWay.then(() => sendOnce(row, dueBy, owner, deps));
  if (underWay) return underWay;
  if (!store.outbox.isDue(row.id, dueBy)) return Promise.resolve();
  const sent = send(row, owner, deps).finally(() => sending.delete(key));
  sending.set(key, sent);
  return sent;
}

function send(row: OutboxRow, owner: DriverOwner, deps: OutboxDeps): Promise<void> {
  switch (row.item.kind) {
    case "push":
      return sendPush(row, row.item, owner, deps);
    case "session_end":
      return endLeftSession(row, row.item.sealedTokens, owner, deps);
    case "text":
      return sendText(row, row.item, owner, deps);
    case "quiet_over":
      deps.store.outbox.remove(row.id);
      deps.tellHeld(row.item.about, owner);
      return Promise.resolve();
    case "block_won":
    case "won_day":
    case "record_changed":
      return copyToD1(row, row.item, owner, deps);
  }
}

/** Tries once to end each remaining session, due or not. */
export async function endLeftSessions(owner: DriverOwner, deps: OutboxDeps): Promise<void> {
  const anyTime = Number.MAX_SAFE_INTEGER;
  const rows = deps.store.outbox.sessionEnds();
  await Promise.all(rows.map((row) => sendOnce(row, anyTime, owner, deps)));
}

async function endLeftSession(
  row: OutboxRow,
  sealedTokens: string,
  { driverId }: DriverOwner,
  deps: OutboxDeps,
): Promise<void> {
  const { store, log, now, waitsUntil, noteRefusal } = deps;
  const save = (sealed: string) =>
    store.outbox.replace(row.id, { kind: "session_end", sealedTokens: sealed });
  const result = await endPlatformSession(sealedTokens, { driverId, deps, waitsUntil, noteRefusal, save });
  if (result.kind === "done") return store.outbox.remove(row.id);
  const willRetry = row.tries + 1 < MAX_SESSION_END_TRIES;
  log("warn", "outbox.session_end.failed", { driverId, tries: row.tries, willRetry });
  if (willRetry) store.outbox.retry(row.id, Math.max(now() + retryDelayMs(row.tries), result.retryAt ?? 0));
  else store.outbox.remove(row.id);
}

type D1Copy = Exclude<OutboxItem, { kind: "text" | "push" | "session_end" | "quiet_over" }>;

async function copyToD1(
  row: OutboxRow,
  copy: D1Copy,
  owner: DriverOwner,
  { store, won, db, log, now }: OutboxDeps,
): Promise<void> {
  try {
    if (copy.kind === "record_changed") return await copyRecordChanges(owner, { store, db, now });
    await won.sendDays(owner.driverId, [dayOf(copy, row.id, store)]);
    store.outbox.remove(row.id);
  } catch (error) {
    log("warn", "outbox.copy.failed", {
      driverId: owner.driverId,
      ...describeError(error),
      tries: row.tries,
    });
    store.outbox.retry(row.id, now() + retryDelayMs(row.tries));
  }
}

/** A former release queued the block itself. */
function dayOf(
  copy: Extract<D1Copy, { kind: "block_won" | "won_day" }>,
  id: number,
  { wonBlocks }: Store,
): number {
  if (copy.kind === "won_day") return copy.day;
  wonBlocks.add(copy, -id);
  return wonDayOf(copy.block.acceptedAt);
}

/**
 * Writes all queued changes as one: a change that D1 takes at a later try must not undo one that came after it. The region
 * from linking also decides in which city the driver takes a spot.
 */
async function copyRecordChanges(
  { driverId }: DriverOwner,
  { store, db, now }: Pick<OutboxDeps, "store" | "db" | "now">,
): Promise<void> {
  const queued = store.outbox.recordChanges();
  const change: Partial<RecordChange> = Object.assign({}, ...queued.map((one) => one.change));
  await updateDriver(db, driverId, change);
  if (change.humanRegion !== undefined)
    await claimSpot(db, { driverId, region: change.humanRegion, now: now() });
  for (const { id } of queued) store.outbox.remove(id);
}

/**
 * Deletes the row at the moment when the text leaves for the gateway: a crash afterwards loses the text, but nobody gets it
 * twice, and a crash before loses nothing.
 */
async function sendText(
  row: OutboxRow,
  item: Extract<OutboxItem, { kind: "text" }>,
  owner: DriverOwner,
  deps: OutboxDeps,
): Promise<void> {
  const { store, driverTexts, config, log, now } = deps;
  if (!driverTexts) return store.outbox.remove(row.id);
  const { notifications, about } = item;
  if (item.unlessPushed !== undefined && about) {
    store.outbox.remove(row.id);
    queueText(
      { body: item.body, about, isUrgent: isUrgentAbout(about) },
      { owner, store, config, now: now() },
    );
    return;
  }
  const body = about?.kind === "asked" ? await withLink(item.body, about.question, owner, deps) : item.body;
  if (body === null) return store.outbox.remove(row.id);
  const id = crypto.randomUUID();
  if (about) store.sentTexts.add(id, about, now());
  const result = await driverTexts.sendText({
    to: owner.phoneNumber,
    body,
    account: owner.driverId,
    id,
    about: about && noticeOf(about),
    isUrgent: isUrgentAbout(about),
    onLeave: () => store.outbox.remove(row.id),
  });
  // A text that was held back never left.
  store.outbox.remove(row.id);
  if (result.kind === "held" && result.reason === "ceiling")
    holdStoppedText(notifications, { owner, store, now: now() });
  if (result.kind !== "failed") return;
  log("warn", "outbox.text.failed", {
    driverId: owner.driverId,
    retryable: result.retryable,
    tries: row.tries,
  });
  if (result.retryable && row.tries + 1 < MAX_TEXT_TRIES) {
    store.outbox.add(item, now() + retryDelayMs(row.tries), row.tries + 1);
  }
}

/** At most once, like a text. Deletes the subscription if it has ended. */
async function sendPush(
  row: OutboxRow,
  item: Extract<OutboxItem, { kind: "push" }>,
  owner: DriverOwner,
  deps: OutboxDeps,
): Promise<void> {
  const { store, push, db, log, now } = deps;
  store.outbox.remove(row.id);
  const subscription = store.pushSubscriptions.find(item.endpoint, now());
  if (!push || !subscription) return countPush(item, false, store);
  const message = await withToken(item.message, subscription, owner, deps);
  if (message === null) return;
  const result = await push.sendMessage(message, subscription);
  if (result.kind === "gone") store.pushSubscriptions.lose(item.endpoint, now());
  if (result.kind === "sent") store.pushSubscriptions.confirm(subscription);
  if (result.kind === "sent" && item.inPlaceOf !== undefined) store.outbox.removeNeedless(item.inPlaceOf);
  if (result.kind === "sent") await noteNoticePush(item, owner, { db, log, now });
  if (result.kind !== "failed") return countPush(item, result.kind === "sent", store);
  const { retryable, retryAfterMs } = result;
  log("warn", "outbox.push.failed", { driverId: owner.driverId, retryable, tries: row.tries });
  if (!retryable || row.tries + 1 >= MAX_PUSH_TRIES) return countPush(item, false, store);
  store.outbox.add(item, now() + Math.max(retryAfterMs, retryDelayMs(row.tries)), row.tries + 1);
}

/** The text of a question with the token of its link; null if it comes too late. */
async function withLink(
  body: string,
  { questionId, closesAt }: Question,
  { driverId, phoneNumber }: DriverOwner,
  { keys, now }: OutboxDeps,
): Promise<string | null> {
  if (closesAt <= now()) return null;
  const token = await makeQuestionLink(keys, {
    driverId,
    questionId,
    channel: { kind: "text", phoneNumber },
  });
  return token && `${body}${token}`;
}

/** The push message with the token of its question, if it has one; null if it comes too late. */
async function withToken(
  message: PushMessage,
  { endpoint, session }: StoredSubscription,
  { driverId }: DriverOwner,
  { keys, now }: OutboxDeps,
): Promise<PushMessage | null> {
  const { question } = message.data;
  if (!question) return message;
  if (question.closesAt <= now()) return null;
  const token = await makeQuestionLink(keys, {
    driverId,
    questionId: question.questionId,
    channel: { kind: "push", endpoint, sessionId: session?.id ?? null },
  });
  return { ...message, data: { ...message.data, question: { ...question, token: token ?? undefined } } };
}

/** The service change that a text announces, if a charge waits for the text to arrive; else null. */
function noticeOf(about: TextAbout): string | null {
  return about.kind === "service_changed" && about.change.kind === "renewal_ahead"
    ? about.change.source
    : null;
}

/**
 * Notes that the push service took the notice of a renewal. If D1 fails, the note is lost, which can only pause that renewal.
 */
async function noteNoticePush(
  { message }: Extract<OutboxItem, { kind: "push" }>,
  { driverId }: DriverOwner,
  { db, log, now }: Pick<OutboxDeps, "db" | "log" | "now">,
): Promise<void> {
  const { tag } = message.data;
  if (!tag.startsWith(RENEWAL_TAG)) return;
  try {
    await noteNotice(db, { source: tag, channel: "push", driverId, at: now() });
  } catch (error) {
    log("warn", "outbox.notice.failed", { driverId, ...describeError(error) });
  }
}

/** Counts a push of an announcement that needs no further try. */
function countPush(
  { message }: Extract<OutboxItem, { kind: "push" }>,
  isSent: boolean,
  { announcementPushes }: Store,
): void {
  const { tag } = message.data;
  if (tag.startsWith(ANNOUNCEMENT_TAG)) announcementPushes.end(tag.slice(ANNOUNCEMENT_TAG.length), isSent);
}

function retryDelayMs(tries: number): DurationMs {
  return Math.min(FIRST_RETRY_MS * 2 ** tries, MAX_RETRY_MS);
}
