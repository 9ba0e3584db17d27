import {
  announceEffects,
  endAnnouncementEffects,
  isAnnouncementRunning,
  loadAnnouncement,
} from "../../db/queries/texts/announcements.ts";
import { isResolved, loadErrorGroup, resolveEffects } from "../../db/queries/operators/error-groups.ts";
import { always } from "../../db/queries/operators/acts.ts";
import { language } from "../../db/shapes/language.ts";
import { recordOf } from "../../db/shapes/record-of.ts";
import type { Audience } from "../../db/shapes/announcement.ts";
import type { DeploymentAct } from "../contract/console/operator-acts.ts";
import { ApiError } from "../http/errors/api-error.ts";
import type { ActPlan } from "./act-plan.ts";
import type { ConsoleContext } from "./acts.ts";

type ActOf<Name extends DeploymentAct["act"]> = Extract<DeploymentAct, { act: Name }>;

/** @throws {ApiError} `invalid_request` for an end that is not ahead, or a malformed audience */
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
