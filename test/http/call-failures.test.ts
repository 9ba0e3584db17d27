import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createDeps } from "../../durable/deps.ts";
import { causeOf } from "../../durable/runtime/call-failure.ts";
import type { Log } from "../../durable/runtime/log.ts";
import { createHumanCheck } from "../../worker/http/gate/user-pool.ts";
import { createCardProcessor } from "../../worker/payments/stripe/stripe.ts";
import { neverResponds } from "../platform-client/harness.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";
import { createPushSubscriber } from "../support/push-subscriber.ts";
import { DEMO_SETTINGS } from "../support/settings.ts";

const log = vi.fn<Log>();
beforeEach(() => log.mockClear());

const SECRET = "s3cret-token";
const { subscription } = await createPushSubscriber(`https://push.sandbox.test/send/${SECRET}`);

/** A call to each service, all of which send by `fetch`. */
function callsBy(fetch: (request: Request) => Promise<Response>) {
  const DB = bindD1(migratedDatabase());
  const turnstile = { TURNSTILE_SITE_KEY: "1x0", TURNSTILE_SECRET_KEY: "2x0" };
  const env = { ...DEMO_SETTINGS, ...turnstile, DB, DRIVER: {}, ASSETS: {}, SANDBOX: { fetch } };
  const deps = createDeps(env as never, { log });
  const data = { title: "t", body: "b", url: "/", tag: "tag", event: "captured" } as const;
  const text = { to: "+12125550140", body: SECRET, account: "ana", language: "en" } as const;
  return {
    platform: () => deps.platform.endSession({ accessToken: SECRET }),
    push: () => deps.push?.sendMessage({ data, ttlSeconds: 1, urgency: "normal" }, subscription),
    texts: () => deps.texts.sendText(text),
    stripe: () =>
      createCardProcessor(deps)
        ?.checkKey()
        .catch(() => null),
    turnstile: () => createHumanCheck(deps)?.(SECRET, null),
  };
}

const SERVICES = ["platform", "push", "texts", "stripe", "turnstile"] as const;
const failures = () => log.mock.calls.filter(([, event]) => event === "call.failed");
const nodeError = (code: string) =>
  new TypeError("fetch failed", { cause: Object.assign(new Error(`${code} ${SECRET}`), { code }) });

describe.each(SERVICES)("a call to %s", (service) => {
  it.each([
    ["dns", nodeError("ENOTFOUND")],
    ["tls", nodeError("DEPTH_ZERO_SELF_SIGNED_CERT")],
    ["refused", nodeError("ECONNREFUSED")],
    ["reset", new Error("Network connection lost.")],
    ["timed_out", nodeError("UND_ERR_CONNECT_TIMEOUT")],
    ["other", new TypeError("no idea", { cause: new RangeError(SECRET) })],
  ])("that fails is logged once with its cause, %s, and the chain of causes", async (cause, thrown) => {
    await callsBy(() => Promise.reject(thrown))[service]();
    const causes =
      thrown.cause instanceof Error ? [expect.objectContaining({ error: thrown.cause.name })] : [];
    const facts = { service, cause, error: thrown.name, frames: expect.any(Array), causes };
    expect(failures()).toEqual([["warn", "call.failed", facts]]);
    expect(JSON.stringify(log.mock.calls)).not.toContain(SECRET);
  });

  it.each([
    [521, "refused"],
    [522, "timed_out"],
    [523, "other"],
    [525, "tls"],
    [530, "dns"],
  ])("that the network answers with %i is logged as %s", async (status, cause) => {
    await callsBy(async () => new Response(SECRET, { status }))[service]();
    expect(failures()).toEqual([["warn", "call.failed", { service, cause, status }]]);
  });

  it("that the service answers is no failure", async () => {
    await callsBy(async () => Response.json({ code: "busy" }, { status: 503 }))[service]();
    expect(failures()).toEqual([]);
  });
});

describe.each(["platform", "push", "texts", "turnstile"] as const)("a call to %s", (service) => {
  afterEach(() => vi.useRealTimers());

  it("that takes too long is logged once, whatever becomes of it", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const asked = Promise.withResolvers<void>();
    const call = callsBy((request) => {
      asked.resolve();
      return neverResponds(request);
    })[service]();
    await asked.promise;
    await vi.advanceTimersByTimeAsync(10_000);
    await call;
    expect(failures()).toEqual([["warn", "call.failed", { service, cause: "timed_out" }]]);
  });

  it("with a response that breaks off is logged", async () => {
    const pull = () => Promise.reject(new Error("Network connection lost."));
    await callsBy(async () => new Response(new ReadableStream({ pull })))[service]();
    expect(failures()).toMatchObject([["warn", "call.failed", { service, cause: "reset" }]]);
  });
});

it("an internal error of the runtime is logged with the reference under which the runtime explains it", async () => {
  const thrown = new Error("internal error; reference = b6ih81iremjp4d6av5f503kn");
  await callsBy(() => Promise.reject(thrown)).platform();
  expect(failures()).toMatchObject([
    ["warn", "call.failed", { cause: "other", reference: "b6ih81iremjp4d6av5f503kn" }],
  ]);
});

it.each([
  ["D1_ERROR: Network connection lost.", "reset"],
  ["D1 DB storage operation exceeded timeout which caused object to be reset.", "timed_out"],
  ["D1 DB is overloaded. Requests queued for too long.", "timed_out"],
  ["getaddrinfo(): DNS lookup failed.", "dns"],
  ["TLS peer's certificate is not trusted; reason = self signed certificate", "tls"],
  ["connect(): Connection refused", "refused"],
  ["no such table: settled_timely", "other"],
])("the cause of '%s' is %s", (message, cause) => {
  expect(causeOf(new Error("Failed query", { cause: new Error(message) }))).toBe(cause);
});

it("the cause of what is no error, or turns in a circle, is another", () => {
  const circular = new Error("one");
  circular.cause = circular;
  expect([causeOf("x"), causeOf(null), causeOf(circular)]).toEqual(["other", "other", "other"]);
});
