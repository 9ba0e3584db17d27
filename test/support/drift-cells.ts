import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

/** Every answer of one kind is otherwise than the contract says. */
export type Drift = { operation: string; isRefusal: boolean; apply: (body: unknown) => unknown };

/** A field of an answer that is another than the contract says, or as far away as it may be. */
export type DriftCell = Drift & {
  /** The client's name of the call. */
  call: string;
  /** Its place in the answer, positions in lists left out. */
  field: string;
  change: string;
  /** Whether an answer violates the contract. */
  violates: (body: unknown) => boolean;
};

type Schema = {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  items?: Schema;
};
type Contract = {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: Schema }> }> }>
  >;
  components: { schemas: Record<string, Schema> };
};

const contract = parse(
  readFileSync(new URL("../../durable/platform/platform.openapi.yaml", import.meta.url), "utf8"),
) as Contract;
const ajv = new Ajv2020({ strict: false });
addFormats.default(ajv);
ajv.addSchema(contract, "contract");

/**
 * Answers that the object reads in the simulated world: the client's call, the world's name of it, and where its shape
 * stands.
 */
const ANSWERS = [
  { call: "listOffers", operation: "offers", path: "/v1/offers", method: "get", status: "200" },
  {
    call: "acceptOffer",
    operation: "accept",
    path: "/v1/offers/{offerId}/accept",
    method: "post",
    status: "200",
  },
  { call: "listBlocks", operation: "blocks", path: "/v1/blocks", method: "get", status: "200" },
  { call: "readDriver", operation: "driver", path: "/v1/driver", method: "get", status: "200" },
  { call: "listWarehouses", operation: "warehouses", path: "/v1/warehouses", method: "get", status: "200" },
  { call: "refreshTokens", operation: "refresh", path: "/v1/token", method: "post", status: "200" },
  { call: "Session", operation: "session", path: "/v1/sessions", method: "post", status: "201" },
  { call: "readEarnings", operation: "earnings", path: "/v1/earnings", method: "get", status: "200" },
  {
    call: "checkIn",
    operation: "check in",
    path: "/v1/blocks/{blockId}/check-in",
    method: "post",
    status: "200",
  },
] as const;

/** Calls whose refusals the object reads in the simulated world. */
const REFUSALS = [
  { call: "acceptOffer", operation: "accept" },
  { call: "checkIn", operation: "check in" },
] as const;

/** Every field of every answer × missing, null, another type, an unknown word, longer, negative, far away. */
export function driftCells(): DriftCell[] {
  return [...answerCells(), ...refusalCells()];
}

function refusalCells(): DriftCell[] {
  const schema = contract.components.schemas["Problem"];
  if (!schema) throw new Error("the contract has no problem");
  const validate = ajv.getSchema("contract#/components/schemas/Problem");
  return REFUSALS.flatMap(({ call, operation }) =>
    cellsOf(schema, {
      call,
      operation,
      prefix: ["problem"],
      isRefusal: true,
      violates: (body) => validate?.(body) !== true,
    }),
  );
}

function answerCells(): DriftCell[] {
  return ANSWERS.flatMap(({ call, operation, path, method, status }) => {
    const schema = contract.paths[path]?.[method]?.responses[status]?.content?.["application/json"]?.schema;
    if (!schema) throw new Error(`the contract has no ${method} ${path}`);
    const pointer = `contract#/paths/${path.replaceAll("/", "~1")}/${method}/responses/${status}/content/application~1json/schema`;
    const validate = ajv.getSchema(pointer);
    const violates = (body: unknown) => validate?.(body) !== true;
    return cellsOf(schema, { call, operation, prefix: [], isRefusal: false, violates });
  });
}

function cellsOf(
  schema: Schema,
  { prefix, ...of }: Pick<DriftCell, "call" | "operation" | "isRefusal" | "violates"> & { prefix: string[] },
): DriftCell[] {
  return fieldsOf(schema).flatMap(({ field, shape }) =>
    Object.entries(changesOf(shape)).map(([change, make]): DriftCell => ({
      ...of,
      field: [...prefix, ...field].join("."),
      change,
      apply: (body) => changed(body, field, make),
    })),
  );
}

function fieldsOf(schema: Schema, at: readonly string[] = []): { field: string[]; shape: Schema }[] {
  const whole = resolved(schema);
  if (whole.items) return fieldsOf(whole.items, at);
  return Object.entries(whole.properties ?? {}).flatMap(([name, inner]) => {
    const field = [...at, name];
    return [{ field, shape: resolved(inner) }, ...fieldsOf(inner, field)];
  });
}

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split("/").at(-1);
  return name === undefined ? schema : (contract.components.schemas[name] ?? schema);
}

const MISSING = Symbol("missing");
type Make = (value: unknown) => unknown;

function changesOf({ type, format, enum: words }: Schema): Record<string, Make> {
  const always: Record<string, Make> = { missing: () => MISSING, null: () => null };
  if (words) return { ...always, "another type": () => 7, "an unknown word": () => "of_tomorrow" };
  if (format === "date-time")
    return {
      ...always,
      "another type": () => true,
      "an unknown word": () => "soon",
      "without a zone": (value) => String(value).replace(/Z$/, ""),
      "with a space and +0000": (value) => String(value).replace("T", " ").replace("Z", "+0000"),
      "far away": () => "2199-01-01T00:00:00Z",
    };
  switch (type) {
    case "integer":
    case "number":
      return {
        ...always,
        "another type": (value) => `${String(value)} or so`,
        text: String,
        broken: (value) => Number(value) + 0.5,
        negative: (value) => -Number(value),
        "far away": () => 9e12,
      };
    case "boolean":
      return { ...always, "another type": () => "yes" };
    case "array":
    case "object":
      return { ...always, "another type": () => "all of it" };
    default:
      return {
        ...always,
        "another type": () => ({ value: 7 }),
        longer: (value) => `${String(value)}-${"x".repeat(80)}`,
        "much longer": (value) => `${String(value)}-${"x".repeat(400)}`,
        "with a colon": (value) => `of:${String(value)}`,
        "in small letters": (value) => String(value).toLowerCase(),
      };
  }
}

/** The body with a field changed, wherever it is. */
function changed(body: unknown, [name, ...rest]: readonly string[], make: Make): unknown {
  if (Array.isArray(body))
    return body.map((item) => changed(item, name === undefined ? [] : [name, ...rest], make));
  if (typeof body !== "object" || body === null || name === undefined) return body;
  const whole: Record<string, unknown> = { ...body };
  const value = whole[name];
  if (rest.length > 0) {
    if (value !== undefined) whole[name] = changed(value, rest, make);
    return whole;
  }
  const next = value === undefined ? MISSING : make(value);
  if (next === MISSING) delete whole[name];
  else whole[name] = next;
  return whole;
}
