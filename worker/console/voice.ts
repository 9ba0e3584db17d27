import { countPendingPushes } from "../../db/queries/texts/announcement-retries.ts";
import {
  audienceOf,
  listAnnouncements,
  toAnnouncement,
  announceEffects,
  endAnnouncementEffects,
  isAnnouncementRunning,
  loadAnnouncement,
} from "../../db/queries/texts/announcements.ts";
import {
  listErrorGroups,
  type ErrorGroupRow,
  isResolved,
  loadErrorGroup,
  resolveEffects,
} from "../../db/queries/operators/error-groups.ts";
import {
  countFeedbackByWeek,
  listComments,
  WEEK_MS,
  weekOf,
  type CommentCursor,
} from "../../db/queries/operators/feedback.ts";
import { listCityLines } from "../../db/queries/operators/deployment.ts";
import { always } from "../../db/queries/operators/acts.ts";
import { language } from "../../db/shapes/language.ts";
import { recordOf } from "../../db/shapes/record-of.ts";
import type { Audience } from "../../db/shapes/announcement.ts";
import type { ErrorsResponse, OperatorAnnouncements, OperatorFeedback } from "../contract/console/voice.ts";
import type { DeploymentAct } from "../contract/console/operator-acts.ts";
import { ApiError } from "../http/errors/api-error.ts";
import type { ConsoleContext, ActPlan } from "./acts.ts";
import { maskButEnd } from "./phones.ts";

const WEEKS = 12;
const COMMENTS_LIMIT = 30;
/** The most whose versions one statement can ask for. */
const ERRORS_LIMIT = 90;
const ANNOUNCEMENTS_LIMIT = 50;

/** Drivers' feedback: scores by week, and a page of their comments. */
export async function loadFeedback(
  context: ConsoleContext,
  cursor: string | undefined,
): Promise<OperatorFeedback> {
  const { db, deps } = context;
  const from = weekOf(deps.now()) - (WEEKS - 1) * WEEK_MS;
  const [weeks, page] = await Promise.all([
    countFeedbackByWeek(db, from),
    listCommentPage(context, cursor, COMMENTS_LIMIT),
  ]);
  return {
    ...page,
    weeks: weeks.map(({ at, answers, skipped, average, promoters, detractors }) => ({
      at,
      answers,
      skipped,
      average: answers === 0 ? null : average,
      net: answers === 0 ? null : Math.round(((promoters - detractors) / answers) * 100),
    })),
  };
}

/** Comments, the latest first, with whose they are; numbers are masked for everybody. */
export async function listCommentPage(
  { db }: ConsoleContext,
  cursor: string | undefined,
  limit: number,
): Promise<Pick<OperatorFeedback, "comments" | "cursor">> {
  const found = await listComments(db, parseCursor(cursor), limit + 1);
  const comments = found.slice(0, limit);
  const last = comments.at(-1);
  return {
    comments: comments.map(({ comment, phone, ...line }) => ({
      ...line,
      comment: comment ?? "",
      phone: phone === null ? null : maskButEnd(phone),
    })),
    cursor: last && found.length > limit ? `${last.at}.${last.id}` : null,
  };
}

function parseCursor(cursor: string | undefined): CommentCursor | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = cursor.split(".");
  return { at: Number(at), id };
}

/** Errors in pages, the latest report first. */
export async function listErrors({ db }: ConsoleContext): Promise<ErrorsResponse> {
  const { groups, hasMore } = await listErrorGroups(db, ERRORS_LIMIT);
  return {
    hasMore,
    errors: groups.map(({ resolvedAt, ...group }) => ({
      ...group,
      status: statusOf({ resolvedAt, lastSeenAt: group.lastSeenAt }),
    })),
  };
}

function statusOf({ resolvedAt, lastSeenAt }: Pick<ErrorGroupRow, "resolvedAt" | "lastSeenAt">) {
  if (resolvedAt === null) return "open";
  return lastSeenAt > resolvedAt ? "back" : "resolved";
}

/** Announcements to drivers, and the cities to choose from. */
export async function listOperatorAnnouncements({ db }: ConsoleContext): Promise<OperatorAnnouncements> {
  const [found, waiting, lines] = await Promise.all([
    listAnnouncements(db, ANNOUNCEMENTS_LIMIT + 1),
    countPendingPushes(db),
    listCityLines(db),
  ]);
  const rows = found.slice(0, ANNOUNCEMENTS_LIMIT);
  const pendingOf = new Map(waiting.map(({ id, pending }) => [id, pending]));
  return {
    announcements: rows.map((row) => ({
      ...toAnnouncement(row),
      audience: audienceOf(row),
      told: row.told,
      isTold: row.isTold,
      pushes: { sent: row.pushesSent, failed: row.pushesFailed, pending: pendingOf.get(row.id) ?? 0 },
    })),
    hasMore: found.length > rows.length,
    cities: lines.map(({ city }) => city),
  };
}

type ActOf<Name extends DeploymentAct["act"]> = Extract<DeploymentAct, { act: Name }>;

/** @throws {ApiError} `invalid_request` for an end that is not ahead, a malformed audience or an unknown city */
export async function planAnnouncement(
  { db, deps }: ConsoleContext,
  id: string,
  { audience, audienceOf, startsAt, endsAt, ...lines }: ActOf<"announce">,
): ReturnType<ActPlan> {
  const now = deps.now();
  if (endsAt <= Math.max(startsAt, now))
    throw new ApiError("invalid_request", { fields: { endsAt: "too_small" } });
  const text = recordOf(language.options, (each) => lines[each]);
  const of = parseAudience(audience, audienceOf);
  if (of.kind === "city" && !(await listCityLines(db)).some(({ city }) => city === of.city))
    throw new ApiError("invalid_request", { fields: { audienceOf: "invalid" } });
  return {
    before: {},
    after: { endsAt },
    worthCents: 0,
    condition: always,
    effects: (where) =>
      announceEffects(db, where, { id: `operator:${id}`, text, audience: of, startsAt, endsAt, now }),
  };
}

function parseAudience(kind: Audience["kind"], of: string | null): Audience {
  if (kind === "all") return { kind };
  if (kind === "city" && of !== null) return { kind, city: of };
  const spoken = LANGUAGE_NAMES.find((name) => name === of);
  if (kind === "language" && spoken) return { kind, language: spoken };
  throw new ApiError("invalid_request", { fields: { audienceOf: "required" } });
}

const LANGUAGE_NAMES = language.options;

/** @throws {ApiError} `not_found` for one that is over */
export async function planEndOfAnnouncement(
  { db, deps }: ConsoleContext,
  { announcementId }: ActOf<"end_announcement">,
): ReturnType<ActPlan> {
  const now = deps.now();
  const row = await loadAnnouncement(db, announcementId);
  if (!row || row.endsAt <= now) throw new ApiError("not_found");
  return {
    before: { endsAt: row.endsAt },
    after: { endsAt: now },
    worthCents: 0,
    condition: isAnnouncementRunning(announcementId, now),
    effects: (where) => endAnnouncementEffects(db, where, { id: announcementId, now }),
  };
}

/**
 * Resolves an error, or opens it again.
 * @throws {ApiError} `not_found`, or `conflict` where it is so already
 */
export async function planErrorStatus(
  { db, deps }: ConsoleContext,
  { act, errorId }: ActOf<"resolve_error" | "reopen_error">,
): ReturnType<ActPlan> {
  const group = await loadErrorGroup(db, errorId);
  if (!group) throw new ApiError("not_found");
  const isOpen = group.resolvedAt === null || group.lastSeenAt > group.resolvedAt;
  if (isOpen !== (act === "resolve_error")) throw new ApiError("conflict");
  const resolvedAt = isOpen ? deps.now() : null;
  return {
    before: { error: group.name, isOpen },
    after: { isOpen: !isOpen },
    worthCents: 0,
    condition: isResolved(errorId, group.resolvedAt),
    effects: (where) => resolveEffects(db, where, { id: errorId, resolvedAt }),
  };
}
