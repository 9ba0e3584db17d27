import { permissiveFilters } from "../support/sandbox-client.ts";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { SELF } from "cloudflare:test";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import type { ApiRoute } from "../../worker/contract/api-route.ts";
import { API_ROUTES } from "../../worker/contract/api-routes.ts";
import { ERROR_CODES, ERROR_STATUS } from "../../worker/contract/error-response.ts";
import { SEALED_ROUTES } from "../../worker/contract/sealed-body.ts";
import { app } from "../../worker/app.ts";
import type { RouteDifference } from "./api-route-types.ts";
import {
  apiTarget,
  createActiveDriver,
  createDriver,
  publishOffer,
  resetPlatform,
  runAlarm,
} from "./harness.ts";

beforeEach(() => resetPlatform());

const ref = z.strictObject({ $ref: z.string().startsWith("#/components/schemas/") });
const content = z.strictObject({ "application/json": z.strictObject({ schema: z.looseObject({}) }) });
const formContent = z.strictObject({
  "application/x-www-form-urlencoded": z.strictObject({ schema: z.looseObject({}) }),
});
/** The subset of OpenAPI 3.1 that the document uses. */
const text = z.strictObject({ schema: z.strictObject({ type: z.literal("string") }) });
const markup = z.strictObject({ "text/xml": text });
const calendar = z.strictObject({ "text/calendar": text });
const operation = z.strictObject({
  operationId: z.string().regex(/^[a-z][A-Za-z]+$/),
  summary: z.string().min(8),
  security: z.array(z.record(z.string(), z.array(z.never()))),
  parameters: z
    .array(
      z.strictObject({
        name: z.string(),
        in: z.enum(["path", "query", "header"]),
        required: z.boolean(),
        schema: z.looseObject({}),
      }),
    )
    .default([]),
  requestBody: z
    .strictObject({
      required: z.literal(true),
      description: z.string().optional(),
      content: z.union([content, formContent]),
      "x-sealed-body": ref.optional(),
    })
    .optional(),
  responses: z.record(
    z.string().regex(/^[1-5]\d\d$/),
    z.strictObject({
      description: z.string().min(1),
      content: z.union([content, markup, calendar]).optional(),
    }),
  ),
});
const document = z.strictObject({
  openapi: z.literal("3.1.1"),
  info: z.strictObject({ title: z.string(), version: z.string() }),
  servers: z.tuple([z.strictObject({ url: z.url() })]),
  paths: z.record(
    z.string().startsWith("/"),
    z.partialRecord(z.enum(["get", "put", "post", "patch", "delete"]), operation),
  ),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[A-Z][A-Za-z]+$/), z.looseObject({})),
    securitySchemes: z.record(
      z.string(),
      z.looseObject({ type: z.enum(["http", "apiKey"]), description: z.string() }),
    ),
  }),
  "x-error-codes": z.record(z.enum(ERROR_CODES), z.int()),
});
type Document = z.infer<typeof document>;

async function fetchDocument(): Promise<Document> {
  const response = await SELF.fetch(`${apiTarget.origin}/status/openapi.json`);
  expect([response.status, response.headers.get("cache-control")]).toEqual([200, "public, max-age=300"]);
  return document.parse(await response.json());
}

/** The operation of a call like `GET /flex/v1/user`. */
function operationOf({ paths }: Document, route: string) {
  const [method = "", path = ""] = route.split(" ");
  const found = Object.entries(paths[path] ?? {}).find(([name]) => name === method.toLowerCase())?.[1];
  if (!found) throw new Error(`${route} is not in the document`);
  return found;
}

function routesOf({ paths }: Document): string[] {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
}

/** Expects that status, body and every field of the response are in the document. */
async function expectDocumented(
  { api, ajv }: { api: Document; ajv: Ajv2020 },
  route: string,
  response: Response,
): Promise<void> {
  const { status } = response;
  const documented = operationOf(api, route).responses[status];
  const text = await response.text();
  expect({ route, status, isDocumented: documented !== undefined }).toEqual({
    route,
    status,
    isDocumented: true,
  });
  if (!documented?.content) return expect({ route, text }).toEqual({ route, text: "" });
  // Of markup the document only says that it is a text.
  if ("text/xml" in documented.content) return expect(text).toMatch(/^<\?xml/);
  if ("text/calendar" in documented.content) return expect(text).toMatch(/^BEGIN:VCALENDAR/);
  const json: unknown = JSON.parse(text);
  const validate = ajv.compile(withApiRefs(documented.content["application/json"].schema));
  validate(json);
  expect({ route, status, errors: validate.errors }).toEqual({ route, status, errors: null });
  // The document allows unknown fields, which clients must ignore; the server must not send any.
  const shape = Object.entries<ApiRoute>(API_ROUTES).find(([name]) => name === route)?.[1].responses[status];
  if (shape && typeof shape !== "string")
    expect({ route, body: json }).toEqual({ route, body: z.parse(shape, json) });
}

function createAjv(api: Document): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addFormat("base64", true);
  ajv.addSchema(api, "api");
  return ajv;
}

/** Makes the references of an extracted schema point into the document. */
function withApiRefs(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"api#/'));
}

describe("the OpenAPI document", () => {
  it("has exactly the calls of the app", async () => {
    const declared = app.routes
      .filter(({ method, path }) => method !== "ALL" && /^\/(flex\/v1|status|webhooks)\//.test(path))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:([a-z]+)(\{.*\})?/gi, "{$1}")}`);
    expect(routesOf(await fetchDocument()).toSorted()).toEqual([...new Set(declared)].toSorted());
  });

  it("has the inputs and responses of the handlers (checked by the compiler)", () => {
    const isSame: [RouteDifference] extends [never] ? true : RouteDifference = true;
    expect(isSame).toBe(true);
  });

  it("is self-contained: every reference resolves and every schema compiles", async () => {
    const api = await fetchDocument();
    const { schemas, securitySchemes } = api.components;
    const refs = [...JSON.stringify(api).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)];
    expect(refs.length).toBeGreaterThan(100);
    expect(refs.map(([, name = ""]) => name).filter((name) => !(name in schemas))).toEqual([]);
    const ajv = createAjv(api);
    for (const schema of Object.values(schemas)) expect(() => ajv.compile(withApiRefs(schema))).not.toThrow();
    const ids = routesOf(api).map((route) => operationOf(api, route).operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const route of routesOf(api)) {
      const { security, parameters } = operationOf(api, route);
      const names = security.flatMap((scheme) => Object.keys(scheme));
      expect(names.filter((name) => !(name in securitySchemes))).toEqual([]);
      const placeholders = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      const inPath = parameters.filter((parameter) => parameter.in === "path");
      expect(inPath.map(({ name }) => name)).toEqual(placeholders);
      expect(inPath.every(({ required }) => required)).toBe(true);
    }
  });

  it("describes sealed bodies and their content", async () => {
    const api = await fetchDocument();
    const sealed = routesOf(api).filter((route) => operationOf(api, route).requestBody?.["x-sealed-body"]);
    expect(sealed.toSorted()).toEqual([...SEALED_ROUTES].toSorted());
    for (const route of sealed) {
      const { content: given } = operationOf(api, route).requestBody ?? {};
      expect(given).toEqual({
        "application/json": { schema: { $ref: "#/components/schemas/SealedBody" } },
      });
    }
  });

  it("requires an id token for every call under /flex/v1 except the live connection and what links in texts open", async () => {
    const api = await fetchDocument();
    const open = routesOf(api).filter((route) => {
      return !operationOf(api, route).security.some((scheme) => "idToken" in scheme);
    });
    expect(open.toSorted()).toEqual([
      "GET /flex/v1/calendar/feed/{file}",
      "GET /flex/v1/live",
      "GET /flex/v1/question-link",
      "GET /flex/v1/receipt-link",
      "GET /flex/v1/renewal-link",
      "GET /flex/v1/undo",
      "GET /status/config",
      "GET /status/health",
      "GET /status/inviters/{referral}",
      "GET /status/openapi.json",
      "GET /status/plans",
      "GET /status/platform",
      "GET /status/raffles/{id}",
      "GET /status/spots",
      "POST /flex/v1/question-link",
      "POST /flex/v1/renewal-link",
      "POST /flex/v1/undo",
      "POST /status/errors",
      "POST /webhooks/stripe",
      "POST /webhooks/texts/incoming",
      "POST /webhooks/texts/status",
    ]);
  });

  it("lists every error code with its status", async () => {
    const api = await fetchDocument();
    expect(api["x-error-codes"]).toEqual(ERROR_STATUS);
    expect(api.components.schemas["ErrorCode"]).toEqual({ type: "string", enum: [...ERROR_CODES] });
  });
});

describe("responses conform to the document", () => {
  const DETAILS = {
    name: "Ana Maria",
    preferredPhoneNumber: null,
    humanTimezone: "America/New_York",
    humanRegion: "Queens",
  };

  it("for a driver who captured a block", async () => {
    const driver = await createActiveDriver();
    await publishOffer(driver.warehouseIds[0]!);
    await publishOffer(driver.warehouseIds[0]!, { inMinutes: 130 });
    await runAlarm(driver);
    const { client, phoneNumber } = driver;
    const call = async (
      route: string,
      { path = "", body }: { path?: string; body?: unknown } = {},
    ): Promise<[string, Response]> => {
      const [method = "", template = ""] = route.split(" ");
      const sealed = SEALED_ROUTES.some((known) => known === route);
      const send = sealed ? client.sealed(method, template, body) : null;
      return [route, await (send ?? client.call(method, path || template, { body }))];
    };
    const prepare = { plan: "7days", points: 0, totalCents: 5022, lastPaymentId: null };
    const answers = [
      await call("GET /flex/v1/user"),
      await call("PATCH /flex/v1/user", { body: { mode: "secure" } }),
      await call("PUT /flex/v1/user/{phone}", { path: `/flex/v1/user/${phoneNumber}`, body: DETAILS }),
      await call("GET /flex/v1/user/earnings"),
      await call("GET /flex/v1/user/notifications", {
        path: "/flex/v1/user/notifications?questions=1",
      }),
      await call("PUT /flex/v1/user/notifications", {
        path: "/flex/v1/user/notifications?questions=1",
        body: { quietHours: null },
      }),
      await call("GET /flex/v1/user/im-here/data"),
      await call("GET /flex/v1/filters"),
      await call("POST /flex/v1/filters/replay", { body: { days: 7, filters: permissiveFilters([]) } }),
      await call("GET /flex/v1/offer-hours"),
      await call("GET /flex/v1/offer-hours/city"),
      await call("GET /flex/v1/warehouses"),
      await call("GET /flex/v1/lost-days"),
      await call("GET /flex/v1/blocks", { path: "/flex/v1/blocks?type=won" }),
      await call("GET /flex/v1/blocks", { path: "/flex/v1/blocks?type=disliked" }),
      await call("GET /flex/v1/blocks/next"),
      await call("POST /flex/v1/live/ticket"),
      await call("GET /flex/v1/setup"),
      await call("GET /flex/v1/spot"),
      await call("POST /flex/v1/spot/join"),
      await call("GET /flex/v1/raffles"),
      await call("GET /flex/v1/announcements"),
      await call("GET /flex/v1/plans"),
      await call("POST /flex/v1/payments/quote", { body: { plan: "7days", points: 0 } }),
      await call("POST /flex/v1/payments/prepare", { body: prepare }),
      await call("GET /flex/v1/payments"),
      await call("GET /flex/v1/user/export"),
      await call("DELETE /flex/v1/setup"),
    ];
    const api = await fetchDocument();
    const ajv = createAjv(api);
    for (const [route, response] of answers) {
      expect({ route, isOk: response.ok }).toEqual({ route, isOk: true });
      await expectDocumented({ api, ajv }, route, response);
    }
  });

  it("for failing calls", async () => {
    const { client } = await createDriver();
    const answers: [route: string, status: number, Response][] = [
      ["PATCH /flex/v1/user", 400, await client.call("PATCH", "/flex/v1/user", { body: {} })],
      ["PATCH /flex/v1/user", 400, await client.sealed("PATCH", "/flex/v1/user", { mode: "fast" })],
      ["GET /flex/v1/user", 401, await SELF.fetch(`${apiTarget.origin}/flex/v1/user`)],
      ["GET /flex/v1/live", 401, await connectWithoutTicket()],
      ["GET /flex/v1/warehouses", 409, await client.call("GET", "/flex/v1/warehouses")],
      ["GET /flex/v1/payments/{id}", 404, await client.call("GET", "/flex/v1/payments/none")],
      [
        "POST /flex/v1/payments/prepare",
        409,
        await client.sealed("POST", "/flex/v1/payments/prepare", {
          plan: "7days",
          points: 0,
          totalCents: 1,
          lastPaymentId: null,
        }),
      ],
      ["PUT /flex/v1/filters", 400, await client.call("PUT", "/flex/v1/filters", { body: {} })],
      [
        "PUT /flex/v1/filters",
        413,
        await client.call("PUT", "/flex/v1/filters", { body: { long: "x".repeat(300_000) } }),
      ],
    ];
    const api = await fetchDocument();
    const ajv = createAjv(api);
    for (const [route, status, response] of answers) {
      expect({ route, status: response.status }).toEqual({ route, status });
      await expectDocumented({ api, ajv }, route, response);
    }
  });

  it("for public calls", async () => {
    const api = await fetchDocument();
    const ajv = createAjv(api);
    for (const route of [
      "GET /status/health",
      "GET /status/config",
      "GET /status/plans",
      "GET /status/platform",
      "GET /status/spots",
      "GET /status/openapi.json",
    ]) {
      const response = await SELF.fetch(`${apiTarget.origin}${route.replace("GET ", "")}`);
      await expectDocumented({ api, ajv }, route, response);
    }
  });
});

function connectWithoutTicket(): Promise<Response> {
  return SELF.fetch(`${apiTarget.origin}/flex/v1/live`, { headers: { upgrade: "websocket" } });
}
