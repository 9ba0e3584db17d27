import { Hono } from "hono";
import { insertFeedback, loadFeedbackHistory } from "../../db/queries/rewards/feedback.ts";
import { feedbackInput, type FeedbackResponse } from "../contract/feedback.ts";
import type { AppEnv } from "../http/app-env.ts";
import { validate } from "../http/validate.ts";
import { ASK_EVERY_MS, CAPTURES_BEFORE_ASKING, isFeedbackDue } from "../rewards/feedback-due.ts";

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
