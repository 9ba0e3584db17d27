import { HTTPException } from "hono/http-exception";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ConfigError } from "../../../durable/runtime/config.ts";
import { createDeps } from "../../../durable/deps.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { ApiError, invalidRequest } from "../../../worker/http/errors/api-error.ts";
import { openRequestScope } from "../../../worker/http/request-scope.ts";
import { trackRequest } from "../../../worker/http/errors/track-request.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { CardProcessorError } from "../../../worker/payments/stripe/responses.ts";
import { appWith } from "../app-with.ts";

let lines: Record<string, unknown>[] = [];

beforeEach(() => {
  lines = [];
  for (const level of ["info", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((text: unknown) => {
      lines.push({ level, ...JSON.parse(String(text)) });
    });
  }
});
afterEach(() => vi.restoreAllMocks());

const noted = vi.fn();
const deps = {
  ...createDeps({ ...DEMO_SETTINGS, DB: {}, DRIVER: {}, ASSETS: {} }),
  security: { note: async (event: unknown) => void noted(event) },
};

/** The response to a call whose handler throws `error`. */
async function answerTo(error: Error, headers: Record<string, string> = {}) {
  const app = appWith({ deps })
    .use(openRequestScope, trackRequest)
    .get("/", () => {
      throw error;
    });
  const response = await app.request("/", { headers });
  const isPage = response.headers.get("content-type")?.startsWith("text/html");
  const body: unknown = isPage ? await response.text() : await response.json();
  return { status: response.status, retryAfter: response.headers.get("retry-after"), body };
}

const messageOf = (code: "rate_limited" | "invalid_request") => ({
  en: formatMessage("en", `problem_${code}`),
  es: formatMessage("es", `problem_${code}`),
  pt: formatMessage("pt", `problem_${code}`),
});

it("says what is wrong in three languages, with the request's id and when to try again", async () => {
  const answer = await answerTo(new ApiError("rate_limited", { retryAfter: 7 }));
  expect(answer).toEqual({
    status: 429,
    retryAfter: "7",
    body: {
      code: "rate_limited",
      message: messageOf("rate_limited"),
      requestId: lines[0]?.["requestId"],
      retryAfter: 7,
    },
  });
  expect(new Set(Object.values(messageOf("rate_limited"))).size).toBe(3);
  expect(lines).toMatchObject([
    { level: "info", event: "request.handled", status: 429, code: "rate_limited" },
  ]);
});

it("says nothing of a wait where there is none", async () => {
  expect(await answerTo(new ApiError("not_found"))).toMatchObject({ status: 404, retryAfter: null });
});

it.each([
  [
    "a card processor that can't be reached",
    new CardProcessorError("unreachable"),
    503,
    "payments_unreachable",
  ],
  ["a card processor that refuses", new CardProcessorError("refused"), 503, "cards_unavailable"],
  ["a request that the framework can't read", new HTTPException(400), 400, "invalid_request"],
  ["an error of the framework itself", new HTTPException(500), 500, "internal"],
  ["a body that is no JSON", new SyntaxError("Unexpected token"), 500, "internal"],
])("has its own code for %s", async (_what, error, status, code) => {
  expect(await answerTo(error)).toMatchObject({ status, body: { code } });
});

it("logs what nobody expected, and nothing that callers cause", async () => {
  await answerTo(new TypeError("with a number"));
  await answerTo(new ApiError("forbidden"));
  expect(lines.filter(({ event }) => event !== "request.handled")).toMatchObject([
    {
      level: "error",
      event: "request.failed",
      requestId: expect.any(String),
      method: "GET",
      route: "/",
      driverId: null,
      error: "TypeError",
      causes: [],
    },
  ]);
});

it.each([
  ["forbidden", "forbidden"],
  ["sign_in_again", "forbidden"],
  ["rate_limited", "limit_reached"],
  ["payments_paused", "limit_reached"],
  ["not_found", null],
  ["unauthenticated", null],
] as const)("notes a refusal for %s where it is a trace of an attack", async (code, event) => {
  noted.mockClear();
  await answerTo(new ApiError(code));
  expect(noted.mock.calls.map(([one]) => one)).toMatchObject(event ? [{ event, facts: { code } }] : []);
});

it("answers a refusal that comes before the isolate's parts are there, and notes nothing", async () => {
  noted.mockClear();
  const unhandled = vi.fn();
  process.once("unhandledRejection", unhandled);
  const app = appWith({}).use(openRequestScope, trackRequest, () => {
    throw new ApiError("rate_limited", { retryAfter: 7 });
  });
  const response = await app.request("/");
  await new Promise((resolve) => setImmediate(resolve));
  process.removeListener("unhandledRejection", unhandled);
  expect([response.status, noted.mock.calls, unhandled.mock.calls]).toEqual([429, [], []]);
});

it("logs which setting is missing", async () => {
  expect(await answerTo(new ConfigError("PUBLIC_URL is missing"))).toMatchObject({ status: 500 });
  expect(lines).toMatchObject([
    { level: "error", event: "config.invalid", problem: "PUBLIC_URL is missing" },
    { level: "error", event: "request.failed", error: "ConfigError" },
    { event: "request.handled" },
  ]);
});

it("names each field of a request that does not fit, and what is wrong with it", async () => {
  const error = invalidRequest([
    { path: ["name"], code: "too_big", origin: "string" },
    { path: ["points"], code: "too_big", origin: "number" },
    { path: ["code"], code: "too_small" },
    { path: ["filters", 2, "minutes"], code: "invalid_type" },
    { path: ["mode"], code: "invalid_type", input: 3 },
    { path: ["plan"], code: "invalid_value", input: undefined },
  ]);
  expect(await answerTo(error)).toMatchObject({
    status: 400,
    body: {
      code: "invalid_request",
      message: messageOf("invalid_request"),
      fields: {
        name: "too_long",
        points: "too_large",
        code: "too_small",
        "filters.2.minutes": "required",
        mode: "invalid",
        plan: "invalid",
      },
    },
  });
  expect(error.name).toBe("ApiError");
});

it.each([
  ["en-US,en;q=0.9", "en", "We'll be right back"],
  ["es-MX,es;q=0.9,en;q=0.8", "es", "Volvemos enseguida"],
  ["de, pt-BR;q=0.8, en;q=0.1, es;q=0", "pt", "Já voltamos"],
  ["de", "en", "We'll be right back"],
])(
  "shows who opens a page a plain one while a setting is missing, for %s in %s",
  async (accepted, language, title) => {
    const problem = "PLATFORM_URL is missing: secret-value";
    const answer = await answerTo(new ConfigError(problem), {
      accept: "text/html,application/xhtml+xml,*/*;q=0.8",
      "accept-language": accepted,
    });
    expect(answer.status).toBe(500);
    expect(answer.body).toContain(`<html lang="${language}">`);
    expect(answer.body).toContain(`<h1>${title}</h1>`);
    expect(answer.body).toContain(String(lines[0]?.["requestId"]));
    expect(answer.body).not.toMatch(/PLATFORM_URL|secret-value|"code"/);
    expect(lines).toContainEqual(expect.objectContaining({ event: "config.invalid", problem }));
  },
);

it("answers a program and a refusal as ever, whoever asks", async () => {
  expect((await answerTo(new ConfigError("x"), { accept: "application/json" })).body).toMatchObject({
    code: "internal",
  });
  expect((await answerTo(new ApiError("not_found"), { accept: "text/html" })).body).toMatchObject({
    code: "not_found",
  });
});
