import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { openDb } from "../db/client.ts";
import { ConfigError } from "../durable/runtime/config.ts";
import { createDeps } from "../durable/deps.ts";
import { errorName, log } from "../durable/runtime/log.ts";
import type { AppEnv } from "./http/app-env.ts";
import { ApiError } from "./http/api-error.ts";
import { authenticate } from "./http/authenticate.ts";
import { serveManifest } from "./http/manifest.ts";
import { servePage } from "./http/page.ts";
import { userPoolOf } from "./http/user-pool.ts";
import { CardProcessorError } from "./payments/stripe-responses.ts";
import { checkInRoutes, imHereRoutes } from "./routes/check-in.ts";
import { blockRoutes } from "./routes/blocks.ts";
import { errorReportRoutes } from "./routes/error-reports.ts";
import { filterRoutes } from "./routes/filters.ts";
import { accountRoutes } from "./routes/account.ts";
import { liveRoutes } from "./routes/live.ts";
import { notificationRoutes } from "./routes/notifications.ts";
import { paymentRoutes } from "./routes/payments.ts";
import { planRoutes } from "./routes/plans.ts";
import { setupRoutes } from "./routes/setup.ts";
import { statusRoutes } from "./routes/status.ts";
import { userRoutes } from "./routes/user.ts";
import { warehouseRoutes } from "./routes/warehouses.ts";
import { webhookRoutes } from "./routes/webhooks.ts";

const MAX_BODY_BYTES = 256 * 1024;
const BOOKMARK_HEADER = "x-d1-bookmark";

export const app = new Hono<AppEnv>();

app.use(async (c, next) => {
  c.set("requestId", crypto.randomUUID());
  c.set("deps", createDeps(c.env));
  await next();
});

/** The embedded user pool speaks Cognito's protocol, failures included: no other answer may stand there. */
for (const path of ["/identity", "/identity/*"]) {
  app.all(path, async (c) => {
    const pool = userPoolOf(c.var.deps, c.env);
    if (!pool) throw new ApiError("not_found");
    return pool.handle(c.req.raw);
  });
}

// The sandbox door: bound in development and tests only.
for (const path of ["/sandbox", "/sandbox/*", "/selfie"]) {
  app.all(path, (c) => (c.env.SANDBOX ? c.env.SANDBOX.fetch(c.req.raw) : servePage(c)));
}

app.use(
  "/flex/v1/*",
  bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: () => {
      throw new ApiError("too_large");
    },
  }),
);

// A driver reads from the nearest replica and still sees what they wrote: the bookmark travels along.
app.use("/flex/v1/*", async (c, next) => {
  const session = c.env.DB.withSession(c.req.header(BOOKMARK_HEADER) ?? "first-primary");
  c.set("db", openDb(session));
  await next();
  const bookmark = session.getBookmark();
  if (bookmark && c.res.status !== 101) c.res.headers.set(BOOKMARK_HEADER, bookmark);
});

for (const path of ["user", "filters", "warehouses", "blocks", "setup", "errors", "plans", "payments"]) {
  app.use(`/flex/v1/${path}/*`, authenticate);
}

const api = app
  .route("/status", statusRoutes)
  .route("/flex/v1/user", userRoutes)
  .route("/flex/v1/user", accountRoutes)
  .route("/flex/v1/user", notificationRoutes)
  .route("/flex/v1/filters", filterRoutes)
  .route("/flex/v1/warehouses", warehouseRoutes)
  .route("/flex/v1/user/im-here", imHereRoutes)
  .route("/flex/v1/blocks", blockRoutes)
  .route("/flex/v1/blocks", checkInRoutes)
  .route("/flex/v1/live", liveRoutes)
  .route("/flex/v1/setup", setupRoutes)
  .route("/flex/v1/errors", errorReportRoutes)
  .route("/flex/v1/plans", planRoutes)
  .route("/flex/v1/payments", paymentRoutes);

/** What the page knows of the API: paths, inputs and answers, as a type. */
export type Api = typeof api;

app.route("/webhooks", webhookRoutes);

app.all("/flex/v1/*", () => {
  throw new ApiError("not_found");
});
app.all("/status/*", () => {
  throw new ApiError("not_found");
});
app.get("/manifest.webmanifest", serveManifest);
app.all("/webhooks/*", () => {
  throw new ApiError("not_found");
});
app.get("*", servePage);

app.onError((error, c) => {
  const apiError = toApiError(error);
  const requestId = c.get("requestId");
  if (apiError.code === "internal") {
    log("error", "request.failed", { requestId, method: c.req.method, error: errorName(error) });
  }
  if (apiError.details.retryAfter !== undefined) c.header("retry-after", String(apiError.details.retryAfter));
  return c.json(apiError.toResponse(requestId), apiError.status);
});

function toApiError(error: Error): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof CardProcessorError) {
    return new ApiError(error.kind === "unreachable" ? "payments_unreachable" : "cards_unavailable");
  }
  if (error instanceof ConfigError) {
    log("error", "config.invalid", { problem: error.message });
    return new ApiError("internal");
  }
  if (error instanceof HTTPException && error.status < 500) return new ApiError("invalid_request");
  return new ApiError("internal");
}
