import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorCode } from "../../worker/contract/error-response.ts";
import { ERROR_STATUS } from "../../worker/contract/error-response.ts";
import { openApiDocument } from "../../worker/http/openapi.ts";

let document: ReturnType<typeof openApiDocument>;
let paths: (typeof document)["paths"];
beforeEach(() => {
  document = openApiDocument({ productName: "Turno", publicUrl: "https://turno.example", version: "7" });
  ({ paths } = document);
});

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const json = (schema: object) => ({ "application/json": { schema } });
const done = (name: string) => ({ description: "It succeeded.", content: json(ref(name)) });

/** The document's errors: one response for each status, with its codes. */
function failures(...codes: ErrorCode[]) {
  return Object.fromEntries(
    Object.entries(Object.groupBy(codes, (code) => ERROR_STATUS[code])).map(([status, given = []]) => [
      status,
      {
        description: given.map((code) => `\`${code}\``).join(", "),
        content: json({ allOf: [ref("ErrorResponse"), { properties: { code: { enum: given } } }] }),
      },
    ]),
  );
}

describe("the document of the API", () => {
  it("names the product, its version and its address", () => {
    expect(document).toMatchObject({
      openapi: "3.1.1",
      info: { title: "Turno API", version: "7" },
      servers: [{ url: "https://turno.example" }],
    });
  });

  it("describes a call with parameters in its query", () => {
    expect(paths["/flex/v1/blocks"]).toEqual({
      get: {
        operationId: "getBlocks",
        summary: expect.any(String),
        security: [{ idToken: [] }],
        parameters: [
          {
            name: "type",
            in: "query",
            required: false,
            schema: { default: "won", type: "string", enum: ["won", "disliked", "lost"] },
          },
          {
            name: "cursor",
            in: "query",
            required: false,
            schema: { type: "string", pattern: "^[0-9]{1,16}(?:_[!-~]{1,200})?$" },
          },
        ],
        responses: {
          200: done("BlocksResponse"),
          ...failures("invalid_request", "unauthenticated", "rate_limited", "maintenance", "internal"),
        },
      },
    });
  });

  it("describes a call with a body and a header that has to be there", () => {
    expect(paths["/flex/v1/filters"]).toMatchObject({
      put: {
        operationId: "putFilters",
        parameters: [{ name: "if-match", in: "header", required: true }],
        requestBody: { required: true, content: json(ref("Filters")) },
        responses: {
          200: done("FiltersResponse"),
          ...failures("invalid_request", "too_large", "unauthenticated", "rate_limited"),
          ...failures("not_found", "stale_version", "maintenance", "internal"),
        },
      },
    });
    expect(paths["/flex/v1/filters"]).not.toHaveProperty("put.requestBody.description");
    expect(paths["/flex/v1/filters"]).not.toHaveProperty("get.parameters");
    expect(paths["/flex/v1/filters"]).not.toHaveProperty("get.requestBody");
  });

  it("describes a sealed body and what is in it", () => {
    expect(paths["/flex/v1/user"]).toMatchObject({
      patch: {
        requestBody: {
          required: true,
          description: expect.stringContaining("AES-256-GCM"),
          content: json(ref("SealedBody")),
          "x-sealed-body": ref("UserPatch"),
        },
        responses: failures("invalid_request", "seal_required", "seal_expired", "seal_broken"),
      },
    });
  });

  it("describes calls without a body in their answer, and one that opens a socket", () => {
    expect(paths["/status/health"]).toEqual({
      get: {
        operationId: "getStatusHealth",
        summary: expect.any(String),
        security: [],
        responses: { 200: done("Health"), ...failures("maintenance", "internal") },
      },
    });
    const user = paths["/flex/v1/user"];
    expect(user).toMatchObject({
      delete: { responses: { 204: { description: expect.stringContaining("no body") } } },
    });
    expect(user).not.toHaveProperty("delete.responses.204.content");
    expect(paths["/flex/v1/live"]).toMatchObject({
      get: {
        operationId: "getLive",
        security: [{ liveTicket: [] }],
        responses: {
          101: { description: expect.stringContaining("WebSocket") },
          ...failures("ticket_invalid", "rate_limited"),
        },
      },
    });
    expect(paths["/flex/v1/live"]).not.toHaveProperty("get.responses.200");
  });

  it("says what opens each call", () => {
    expect(paths).toMatchObject({
      "/flex/v1/blocks/{id}/check-in": {
        post: {
          operationId: "postBlocksIdCheckIn",
          security: [{ idToken: [] }, { arrivedToken: [] }],
          parameters: [{ name: "id", in: "path", required: true }],
          responses: failures("unauthenticated"),
        },
      },
      "/webhooks/stripe": {
        post: { operationId: "postWebhooksStripe", security: [{ stripeSignature: [] }] },
      },
      "/status/health": { get: { operationId: "getStatusHealth", security: [] } },
    });
    for (const open of ["/status/health", "/webhooks/stripe"]) {
      expect(JSON.stringify(paths[open])).not.toMatch(/unauthenticated|ticket_invalid|rate_limited/);
    }
    const securitySchemes = {
      idToken: { type: "http", scheme: "bearer", bearerFormat: "JWT" },
      arrivedToken: { type: "http", scheme: "ImHere" },
      undoToken: { type: "http", scheme: "Undo" },
      ownerLink: { type: "http", scheme: "Link" },
      liveTicket: { type: "apiKey", in: "header", name: "Sec-WebSocket-Protocol" },
      stripeSignature: { type: "apiKey", in: "header", name: "Stripe-Signature" },
      textSignature: { type: "apiKey", in: "header", name: "X-Twilio-Signature" },
    };
    const described = Object.entries(securitySchemes).map(([name, scheme]) => [
      name,
      { ...scheme, description: expect.stringMatching(/\w+/) },
    ]);
    expect(document).toMatchObject({ components: { securitySchemes: Object.fromEntries(described) } });
  });

  it("describes a call whose body is a form, signed by who sends it", () => {
    const form = (name: string) => ({
      required: true,
      content: { "application/x-www-form-urlencoded": { schema: ref(name) } },
    });
    const refusals = failures("invalid_request", "too_large", "forbidden", "maintenance", "internal");
    expect(paths["/webhooks/texts/incoming"]).toEqual({
      post: {
        operationId: "postWebhooksTextsIncoming",
        summary: expect.any(String),
        security: [{ textSignature: [] }],
        requestBody: form("IncomingText"),
        responses: {
          200: { description: "It succeeded.", content: { "text/xml": { schema: { type: "string" } } } },
          ...refusals,
        },
      },
    });
    expect(paths["/webhooks/texts/status"]).toMatchObject({ post: { requestBody: form("TextReport") } });
    expect(paths["/status/health"]).not.toHaveProperty("get.requestBody");
  });

  it("has schemas without dialects and addresses of their own, and without bounds that every integer has", () => {
    const text = JSON.stringify(document);
    expect(text).not.toMatch(/"\$schema"|"\$id"/);
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
    const minHourlyCents = { anyOf: [{ type: "integer", minimum: 0, maximum: 999_900 }, { type: "null" }] };
    expect(document).toMatchObject({
      components: { schemas: { Filters: { properties: { minHourlyCents } } } },
    });
  });

  it("allows fields that a client does not know yet", () => {
    expect(document).toHaveProperty("components.schemas.UserResponse.properties");
    expect(document).not.toHaveProperty("components.schemas.UserResponse.additionalProperties");
  });
});
