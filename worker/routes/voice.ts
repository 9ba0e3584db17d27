import { Hono } from "hono";
import { insertFeedback, loadFeedbackHistory } from "../../db/queries/operators/feedback.ts";
import { loadDriverAnnouncements } from "../../db/queries/texts/announcements.ts";
import { loadChatIdentifier, recordChatIdentifier } from "../../db/queries/accounts/chat-contacts.ts";
import { DAY_MS, type DurationMs, type EpochMs } from "../../db/shapes/units.ts";
import { feedbackInput, type FeedbackResponse, type AnnouncementsResponse } from "../contract/voice.ts";
import type { AppEnv } from "../http/app-env.ts";
import { validate } from "../http/validate.ts";
import { chatIdentifier, chatIdentity } from "../accounts/chat-identity.ts";
import { readsAhead } from "../http/gate/read-ahead.ts";
import { ApiError } from "../http/errors/api-error.ts";
import { loadCallerRecord, recordAhead } from "./caller.ts";

/** A driver can judge what we do after this many captures. */
const CAPTURES_BEFORE_ASKING = 3;

/** A driver is asked at most this often, whether they answer or skip it. */
const ASK_EVERY_MS: DurationMs = 60 * DAY_MS;

/** Drivers' feedback about the service. */
export const feedbackRoutes = new Hono<AppEnv>()
  .get("/", async (c) => {
    const { caller, db, deps } = c.var;
    const history = await loadFeedbackHistory(db, caller.driverId, { captures: CAPTURES_BEFORE_ASKING });
    return c.json({ isDue: isFeedbackDue(history, deps.now()) } satisfies FeedbackResponse, 200);
  })
  .post("/", validate("json", feedbackInput), async (c) => {
    const { caller, db, deps } = c.var;
    const { score, comment } = c.req.valid("json");
    const answer = score === null ? { score, comment: null } : { score, comment: comment ? comment : null };
    await insertFeedback(db, {
      ...answer,
      id: crypto.randomUUID(),
      driverId: caller.driverId,
      at: deps.now(),
      everyMs: ASK_EVERY_MS,
    });
    return c.body(null, 204);
  });

/** Operators' announcements to the caller now. */
export const announcementRoutes = new Hono<AppEnv>().get("/", async (c) => {
  const { caller, db, deps } = c.var;
  const announcements = await loadDriverAnnouncements(db, caller.driverId, deps.now());
  return c.json({ announcements } satisfies AnnouncementsResponse, 200);
});

const identifierAhead = readsAhead((c, driverId) => {
  const known = loadChatIdentifier(c.var.db, driverId);
  // The handler hears of a failure.
  known.catch(() => {});
  c.set("chatAhead", known);
});

/** The driver's identity in the support chat. There is none where the chat isn't offered, or hidden from this number. */
export const chatRoutes = new Hono<AppEnv>().use(recordAhead, identifierAhead).get("/", async (c) => {
  const { deps, db, chatAhead } = c.var;
  const { chat, productName } = deps.config;
  const [record, known] = await Promise.all([loadCallerRecord(c), chatAhead]);
  if (!chat?.isShown || record.row.phoneNumber === chat.hiddenPhone) throw new ApiError("not_found");
  const { hmacKey, api } = chat;
  const now = deps.now();
  // Without the chat's API the contact couldn't follow: the identifier stays.
  const endedAt = api ? known.endedAt : null;
  const identifier = chatIdentifier(record.row, { productName, present: known.present, endedAt });
  await recordChatIdentifier(db, { driverId: record.row.id, identifier, now });
  return c.json(await chatIdentity(record, { identifier, hmacKey, productName, now }), 200);
});

/** Whether to ask a driver now what they think. */
export function isFeedbackDue(
  { captures, lastAskedAt }: { captures: number; lastAskedAt: EpochMs | null },
  now: EpochMs,
): boolean {
  if (captures < CAPTURES_BEFORE_ASKING) return false;
  return lastAskedAt === null || now - lastAskedAt >= ASK_EVERY_MS;
}
