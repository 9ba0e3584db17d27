import * as z from "zod/mini";
import type { ApiAuth, ApiRoute, MediaType } from "../contract/api-route.ts";
import { API_ROUTES } from "../contract/api-routes.ts";
import { API_SCHEMAS } from "../contract/api-schemas.ts";
import { ERROR_STATUS, errorResponse, type ErrorCode } from "../contract/error-response.ts";
import { SEALED_ROUTES, sealedBody } from "../contract/sealed-body.ts";
import type { OpenApiResponse } from "../contract/status.ts";

type JsonObject = Record<string, unknown>;

const SECURITY = {
  none: [],
  bearer: [{ idToken: [] }],
  arrived: [{ idToken: [] }, { arrivedToken: [] }],
  undo: [{ undoToken: [] }],
  owner_link: [{ ownerLink: [] }],
  // The parameter is the secret.
  calendar_address: [],
  ticket: [{ liveTicket: [] }],
  signature: [{ stripeSignature: [] }],
  text_signature: [{ textSignature: [] }],
} as const satisfies Record<ApiAuth, readonly JsonObject[]>;

const SECURITY_SCHEMES = {
  idToken: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description: "An id token of the user pool.",
  },
  arrivedToken: {
    type: "http",
    scheme: "ImHere",
    description: "The token of the arrived frame, which lasts ten minutes.",
  },
  undoToken: {
    type: "http",
    scheme: "Undo",
    description: "The token in the link of a text that told of a change. Once, within seven days.",
  },
  ownerLink: {
    type: "http",
    scheme: "Link",
    description: "The token in a link that its owner opens without signing in, for one purpose.",
  },
  liveTicket: {
    type: "apiKey",
    in: "header",
    name: "Sec-WebSocket-Protocol",
    description: "`jornada.live.v1, ticket.<ticket>`",
  },
  stripeSignature: {
    type: "apiKey",
    in: "header",
    name: "Stripe-Signature",
    description: "The card processor's signature over the body.",
  },
  textSignature: {
    type: "apiKey",
    in: "header",
    name: "X-Twilio-Signature",
    description: "The text gateway's signature over the address and the form.",
  },
} as const satisfies Record<string, JsonObject>;

/** The gate's refusals, and the limit behind it. */
const AUTH_ERRORS = {
  none: [],
  bearer: ["unauthenticated", "rate_limited"],
  arrived: ["unauthenticated", "rate_limited"],
  undo: ["unauthenticated", "rate_limited"],
  owner_link: ["unauthenticated", "rate_limited"],
  calendar_address: ["unauthenticated", "rate_limited"],
  ticket: ["ticket_invalid", "rate_limited"],
  signature: [],
  text_signature: [],
} as const satisfies Record<ApiAuth, readonly ErrorCode[]>;

const SEALED_DESCRIPTION =
  "Sealed: AES-256-GCM over the JSON of `{ at, body }`, where `at` is the instant of sealing in epoch ms and `body` has the schema of `x-sealed-body`. The id and the key are the headers `x-amz-cf-id` and `x-amz-version-id` of GET /status/health, both Base64. The IV is the first 12 bytes of SHA-256 over the text of the id and the bytes of the nonce. The additional data is the method and path, as in `PATCH /flex/v1/user`. On `seal_expired`, fetch a new key and repeat once.";

/** The API as an OpenAPI 3.1 document, made from the contract's routes and shapes. */
export function openApiDocument({
  productName,
  publicUrl,
  version,
}: {
  productName: string;
  publicUrl: string;
  version: string;
}): OpenApiResponse {
  const paths: Record<string, JsonObject> = {};
  for (const [name, route] of Object.entries<ApiRoute>(API_ROUTES)) {
    const [method = "", path = ""] = name.split(" ");
    paths[path] = { ...paths[path], [method.toLowerCase()]: toOperation(name, route) };
  }
  return {
    openapi: "3.1.1",
    info: { title: `${productName} API`, version },
    servers: [{ url: publicUrl }],
    paths,
    components: { schemas: componentSchemas(paths), securitySchemes: SECURITY_SCHEMES },
    /** Every error code, with its status. */
    "x-error-codes": ERROR_STATUS,
  };
}

function toOperation(name: string, route: ApiRoute): JsonObject {
  const parameters = [
    ...toParameters("path", route.params),
    ...toParameters("query", route.query),
    ...toParameters("header", route.headers),
  ];
  return {
    operationId: operationId(name),
    summary: route.summary,
    security: SECURITY[route.auth],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(route.body ? { requestBody: toRequestBody(route.body, isSealed(name)) } : {}),
    ...(route.form ? { requestBody: { required: true, content: formContent(route.form) } } : {}),
    responses: { ...toResponses(route), ...toErrorResponses(errorsOf(name, route)) },
  };
}

function toParameters(place: "path" | "query" | "header", shape: z.ZodMiniObject | undefined): JsonObject[] {
  if (!shape) return [];
  const { properties = {}, required = [] } = z.toJSONSchema(shape, JSON_SCHEMA_OPTIONS);
  return Object.entries(properties).map(([name, schema]) => ({
    name,
    in: place,
    required: required.includes(name),
    schema,
  }));
}

function toRequestBody(shape: z.ZodMiniType, sealed: boolean): JsonObject {
  if (!sealed) return { required: true, content: jsonContent(shape) };
  return {
    required: true,
    description: SEALED_DESCRIPTION,
    content: jsonContent(sealedBody),
    "x-sealed-body": schemaRef(shape),
  };
}

function toResponses({ responses }: ApiRoute): JsonObject {
  return Object.fromEntries(
    Object.entries(responses).map(([status, body]) => [
      status,
      { description: DESCRIPTIONS[status] ?? "", ...(body ? { content: contentOf(body) } : {}) },
    ]),
  );
}

function contentOf(body: z.ZodMiniType | MediaType): JsonObject {
  return typeof body === "string" ? { [body]: { schema: { type: "string" } } } : jsonContent(body);
}

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  101: "Switches to the WebSocket protocol.",
  200: "It succeeded.",
  204: "It succeeded; there is no body.",
  304: "What the caller has is current.",
};

/** One response per status, with its error codes. */
function toErrorResponses(codes: readonly ErrorCode[]): JsonObject {
  const byStatus = Object.groupBy(codes, (code) => ERROR_STATUS[code]);
  return Object.fromEntries(
    Object.entries(byStatus).map(([status, given = []]) => [
      status,
      {
        description: given.map((code) => `\`${code}\``).join(", "),
        content: {
          "application/json": {
            schema: {
              allOf: [schemaRef(errorResponse), { properties: { code: { enum: given } } }],
            },
          },
        },
      },
    ]),
  );
}

function errorsOf(name: string, route: ApiRoute): ErrorCode[] {
  const { auth, params, query, headers, body, form, errors } = route;
  const hasInput = params ?? query ?? headers ?? body ?? form;
  const codes: ErrorCode[] = [
    ...(hasInput ? (["invalid_request"] as const) : []),
    ...((body ?? form) ? (["too_large"] as const) : []),
    ...(isSealed(name) ? (["seal_required", "seal_expired", "seal_broken"] as const) : []),
    ...AUTH_ERRORS[auth],
    ...errors,
    "maintenance",
    "internal",
  ];
  return [...new Set(codes)];
}

function isSealed(name: string): boolean {
  return SEALED_ROUTES.some((route) => route === name);
}

/** `GET /flex/v1/user/im-here/data` is `getUserImHereData`. */
function operationId(name: string): string {
  const [method = "", path = ""] = name.split(" ");
  const words = path.replace("/flex/v1", "").match(/[A-Za-z0-9]+/g) ?? [];
  return method.toLowerCase() + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

const registry = z.registry<{ id: string }>();
for (const [id, shape] of API_SCHEMAS) {
  // A contract that exports a shared shape under a second name does not rename it.
  if (!registry.has(shape)) registry.add(shape, { id });
}

/**
 * The schema of a shape's input: clients must accept unknown fields in responses, too. Zod adds the bounds of safe
 * integers to each integer, which are removed as noise.
 */
const JSON_SCHEMA_OPTIONS = {
  io: "input",
  override: ({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }) => {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
} as const;

const refOf = (id: string) => `#/components/schemas/${id}`;

/** The named shapes that the calls, or shapes that they mention, refer to. */
function componentSchemas(paths: JsonObject): JsonObject {
  const { schemas } = z.toJSONSchema(registry, { ...JSON_SCHEMA_OPTIONS, uri: refOf });
  const used = new Set<string>();
  const visit = (part: unknown) => {
    for (const [, id = ""] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(id)) continue;
      used.add(id);
      visit(schemas[id]);
    }
  };
  visit(paths);
  return Object.fromEntries(
    Object.entries(schemas)
      .filter(([id]) => used.has(id))
      .map(([id, { $schema: _dialect, $id: _address, ...schema }]) => [id, schema]),
  );
}

function jsonContent(shape: z.ZodMiniType): JsonObject {
  return { "application/json": { schema: schemaRef(shape) } };
}

function formContent(shape: z.ZodMiniType): JsonObject {
  return { "application/x-www-form-urlencoded": { schema: schemaRef(shape) } };
}

/** @throws {Error} if a call's body has no name in `API_SCHEMAS` */
function schemaRef(shape: z.ZodMiniType): JsonObject {
  const id = registry.get(shape)?.id;
  if (id === undefined) throw new Error("a body of the API has no name in API_SCHEMAS");
  return { $ref: refOf(id) };
}
