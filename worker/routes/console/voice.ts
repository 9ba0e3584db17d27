import { Hono } from "hono";
import { listErrors, listOperatorAnnouncements, loadFeedback } from "../../console/voice.ts";
import { feedbackQueryInput } from "../../contract/console/voice.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { forSupport } from "../../http/gate/operator-gate.ts";
import { validate } from "../../http/validate.ts";
import { consoleContext } from "./context.ts";

/** Drivers' feedback, their errors, and announcements to them. */
export const consoleVoiceRoutes = new Hono<AppEnv>()
  .get("/feedback", forSupport(), validate("query", feedbackQueryInput), async (c) => {
    return c.json(await loadFeedback(consoleContext(c), c.req.valid("query").cursor), 200);
  })
  .get("/errors", forSupport(), async (c) => c.json(await listErrors(consoleContext(c)), 200))
  .get("/announcements", forSupport(), async (c) => {
    return c.json(await listOperatorAnnouncements(consoleContext(c)), 200);
  });
