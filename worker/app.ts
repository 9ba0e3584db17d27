import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { HTTPException } from "hono/http-exception";
import { openDb } from "../db/client.ts";
import { ConfigError } from "../durable/config.ts";
import { createDeps } from "../durable/deps.ts";
import { errorName, log } from "../durable/log.ts";
import type { App } from "./http/context.ts";
import { Failure } from "./http/failure.ts";
import { gate } from "./http/gate.ts";
import { manifest } from "./http/manifest.ts";
import { page } from "./http/page.ts";
import { poolOf } from "./http/pool.ts";
import { CardsFault } from "./payments/stripe-answers.ts";
import { arrival, imHere } from "./routes/arrival.ts";
import { blocks } from "./routes/blocks.ts";
import { errors } from "./routes/errors.ts";
import { filters } from "./routes/filters.ts";
import { leaving } from "./routes/leaving.ts";
import { live } from "./routes/live.ts";
import { notifications } from "./routes/notifications.ts";
import { payments } from "./routes/payments.ts";
import { plans } from "./routes/plans.ts";
import { setup } from "./routes/setup.ts";
import { status } from "./routes/status.ts";
import { user } from "./routes/user.ts";
import { warehouses } from "./routes/warehouses.ts";
import { webhooks } from "./routes/webhooks.ts";

const LARGEST_BODY_BYTES = 256 * 1024;
const BOOKMARK_HEADER = "x-d1-bookmark";

export const app = new Hono<App>();

app.use(async (c, next) => {
  c.set("requestId", crypto.randomUUID());
  c.set("deps", createDeps(c.env));
  await next();
});

/** The embedded user pool speaks Cognito's protocol, failures included: no other answer may stand there. */
for (const path of ["/identity", "/identity/*"]) {
  app.all(path, async (c) => {
    const pool = poolOf(c.var.deps, c.env);
    if (!pool) throw new Failure("not_found");
    return pool.handle(c.req.raw);
  });
}

// The sandbox door: bound in development and tests only.
for (const path of ["/sandbox", "/sandbox/*", "/selfie"]) {
  app.all(path, (c) => (c.env.SANDBOX ? c.env.SANDBOX.fetch(c.req.raw) : page(c)));
}

app.use(
  "/flex/v1/*",
  bodyLimit({
    maxSize: LARGEST_BODY_BYTES,
    onError: () => {
      throw new Failure("too_large");
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
  app.use(`/flex/v1/${path}/*`, gate);
}

const api = app
  .route("/status", status)
  .route("/flex/v1/user", user)
  .route("/flex/v1/user", leaving)
  .route("/flex/v1/user", notifications)
  .route("/flex/v1/filters", filters)
  .route("/flex/v1/warehouses", warehouses)
  .route("/flex/v1/user/im-here", imHere)
  .route("/flex/v1/blocks", blocks)
  .route("/flex/v1/blocks", arrival)
  .route("/flex/v1/live", live)
  .route("/flex/v1/setup", setup)
  .route("/flex/v1/errors", errors)
  .route("/flex/v1/plans", plans)
  .route("/flex/v1/payments", payments);

/** What the page knows of the API: paths, inputs and answers, as a type. */
export type Api = typeof api;

app.route("/webhooks", webhooks);

app.all("/flex/v1/*", () => {
  throw new Failure("not_found");
});
app.all("/status/*", () => {
  throw new Failure("not_found");
});
app.get("/manifest.webmanifest", manifest);
app.all("/webhooks/*", () => {
  throw new Failure("not_found");
});
app.get("*", page);

app.onError((error, c) => {
  const failure = toFailure(error);
  const requestId = c.get("requestId");
  if (failure.code === "internal") {
    log("error", "request.failed", { requestId, method: c.req.method, error: errorName(error) });
  }
  if (failure.details.retryAfter !== undefined) c.header("retry-after", String(failure.details.retryAfter));
  return c.json(failure.toProblem(requestId), failure.status);
});

function toFailure(error: Error): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof CardsFault) {
    return new Failure(error.kind === "unreachable" ? "payments_unreachable" : "cards_unavailable");
  }
  if (error instanceof ConfigError) {
    log("error", "config.invalid", { problem: error.message });
    return new Failure("internal");
  }
  if (error instanceof HTTPException && error.status < 500) return new Failure("invalid_request");
  return new Failure("internal");
}
