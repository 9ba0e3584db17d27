import { Hono } from "hono";
import { ApiError } from "./http/errors/api-error.ts";
import type { AppEnv } from "./http/app-env.ts";
import { answerError } from "./http/errors/answer-error.ts";
import { serveActFeed, serveConsole } from "./http/pages/console-page.ts";
import { gatedRouter } from "./http/gate/gate.ts";
import { provideIsolate } from "./http/isolate.ts";
import { serveManifest, serveRobots, serveSitemap, serveSecurityTxt } from "./http/pages/site-files.ts";
import { operatorRouter, separateConsoleHost } from "./http/gate/operator-gate.ts";
import { servePage } from "./http/pages/page.ts";
import { closeForMaintenance } from "./http/gate/maintenance.ts";
import { announceResponse, openRequestScope, setResponseHeaders } from "./http/request-scope.ts";
import { trackRequest } from "./http/errors/track-request.ts";
import { accountRoutes, recordingRoutes } from "./routes/account/account.ts";
import { announcementRoutes, chatRoutes, feedbackRoutes } from "./routes/voice.ts";
import { blockRoutes } from "./routes/work/blocks.ts";
import { calendarRoutes } from "./routes/account/calendar.ts";
import { checkInRoutes, imHereRoutes } from "./routes/work/check-in.ts";
import {
  consoleActRoutes,
  consoleRequestRoutes,
  consoleFleetRoutes,
  consoleDriverRoutes,
  consoleMoneyRoutes,
  consoleDeploymentRoutes,
  consoleVoiceRoutes,
} from "./routes/console.ts";
import { errorReportRoutes, visitorErrorRoutes } from "./routes/error-reports.ts";
import { filterRoutes, warehouseRoutes } from "./routes/work/filters.ts";
import { invitationRoutes, raffleRoutes, rewardRoutes } from "./routes/money/rewards.ts";
import { liveRoutes } from "./routes/work/live.ts";
import { notificationRoutes } from "./routes/account/notifications.ts";
import { offerHoursRoutes, weekRoutes } from "./routes/work/statistics.ts";
import { paymentRoutes } from "./routes/money/payments.ts";
import { passkeyRoutes } from "./routes/account/passkeys.ts";
import { planRoutes, pauseRoutes, spotRoutes, lostDayRoutes } from "./routes/money/service.ts";
import { preferredPhoneRoutes, textRoutes } from "./routes/account/texts.ts";
import { receiptLinkRoutes, renewalLinkRoutes } from "./routes/money/links.ts";
import { securityRoutes, sessionRoutes, undoRoutes } from "./routes/account/security.ts";
import { checkRoutes, setupRoutes } from "./routes/work/setup.ts";
import { questionLinkRoutes, questionRoutes } from "./routes/work/questions.ts";
import { statusRoutes } from "./routes/status.ts";
import { textWebhookRoutes, webhookRoutes } from "./routes/webhooks.ts";
import { userRoutes } from "./routes/account/user.ts";

export const app = new Hono<AppEnv>()
  .use(
    openRequestScope,
    announceResponse,
    trackRequest,
    setResponseHeaders,
    closeForMaintenance,
    provideIsolate,
    separateConsoleHost,
  )
  .onError(answerError);

/** The embedded user pool speaks Cognito's protocol, errors included, so nothing else may respond there. */
for (const path of ["/identity", "/identity/*"]) {
  app.all(path, async (c) => {
    const { userPool, requestId } = c.var;
    if (!userPool) throw new ApiError("not_found");
    return userPool.handle(c.req.raw, requestId);
  });
}

// The sandbox door: bound in development and tests only.
for (const path of ["/sandbox", "/sandbox/*", "/selfie"]) {
  app.all(path, (c) => (c.env.SANDBOX ? c.env.SANDBOX.fetch(c.req.raw) : servePage(c)));
}

/** Drivers' calls, all behind the gate. */
const driverRoutes = gatedRouter()
  .route("/user", userRoutes)
  .route("/user", accountRoutes)
  .route("/user", notificationRoutes)
  .route("/user/preferred-phone", preferredPhoneRoutes)
  .route("/user/texts", textRoutes)
  .route("/user/chat", chatRoutes)
  .route("/user/recording", recordingRoutes)
  .route("/user/im-here", imHereRoutes)
  .route("/sessions", sessionRoutes)
  .route("/calendar", calendarRoutes)
  .route("/passkeys", passkeyRoutes)
  .route("/security", securityRoutes)
  .route("/undo", undoRoutes)
  .route("/filters", filterRoutes)
  .route("/warehouses", warehouseRoutes)
  .route("/offer-hours", offerHoursRoutes)
  .route("/blocks", blockRoutes)
  .route("/blocks", checkInRoutes)
  .route("/checks", checkRoutes)
  .route("/week", weekRoutes)
  .route("/questions", questionRoutes)
  .route("/question-link", questionLinkRoutes)
  .route("/live", liveRoutes)
  .route("/setup", setupRoutes)
  .route("/errors", errorReportRoutes)
  .route("/spot", spotRoutes)
  .route("/pause", pauseRoutes)
  .route("/raffles", raffleRoutes)
  .route("/announcements", announcementRoutes)
  .route("/lost-days", lostDayRoutes)
  .route("/plans", planRoutes)
  .route("/payments", paymentRoutes)
  .route("/renewal-link", renewalLinkRoutes)
  .route("/receipt-link", receiptLinkRoutes)
  .route("/rewards", rewardRoutes)
  .route("/invitations", invitationRoutes)
  .route("/feedback", feedbackRoutes);

const api = app
  .route("/flex/v1", driverRoutes)
  .route("/status", statusRoutes)
  .route("/status/errors", visitorErrorRoutes);

/** The API's paths, inputs and responses as a type, for the page. */
export type Api = typeof api;

/** Operators' calls, all behind Cloudflare Access. They aren't in the API's own description. */
const consoleRoutes = operatorRouter()
  .route("/", consoleActRoutes)
  .route("/", consoleDeploymentRoutes)
  .route("/", consoleVoiceRoutes)
  .route("/", consoleMoneyRoutes)
  .route("/requests", consoleRequestRoutes)
  .route("/fleet", consoleFleetRoutes)
  .route("/drivers", consoleDriverRoutes);
const consoleApi = app.route("/ops/v1", consoleRoutes);

/** The same as a type, for the console. */
export type ConsoleApi = typeof consoleApi;

const webhookApi = app.route("/webhooks", webhookRoutes).route("/webhooks/texts", textWebhookRoutes);

/** The calls of the card processor and the text gateway, as a type. */
export type WebhookApi = typeof webhookApi;

for (const path of ["/flex/v1/*", "/status/*", "/webhooks/*", "/ops/v1/*"]) {
  app.all(path, () => {
    throw new ApiError("not_found");
  });
}
app.get("/ops/log", serveActFeed);
for (const path of ["/ops", "/ops.html", "/ops/*"]) app.get(path, serveConsole);
app.get("/manifest.webmanifest", serveManifest);
app.get("/.well-known/security.txt", serveSecurityTxt);
app.get("/robots.txt", serveRobots);
app.get("/sitemap.xml", serveSitemap);
app.get("*", servePage);
