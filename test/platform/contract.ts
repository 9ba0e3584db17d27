import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import type { ValidateFunction } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";

type Json = Record<string, unknown>;
type Parameter = { name: string; in: string; required?: boolean; schema: Json };
type ResponseSpec = {
  headers?: Record<string, { required?: boolean }>;
  content?: Record<string, { schema: Json }>;
};
type Operation = {
  operationId: string;
  security?: unknown[];
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Json }> };
  responses: Record<string, ResponseSpec>;
};

const METHODS = ["get", "post", "put", "patch", "delete"] as const;
type PathItem = { parameters?: Parameter[] } & { [method in (typeof METHODS)[number]]?: Operation };

const document = parse(
  readFileSync(new URL("../../durable/platform/platform.openapi.yaml", import.meta.url), "utf8"),
) as {
  paths: Record<string, PathItem>;
  components: { schemas: { Problem: { properties: { code: { description: string } } } } };
};

/** Statuses that the contract allows for any call. It names `invalid_request` (400) but lists it for no operation. */
const COMMON_STATUSES = ["400", "429", "500", "502", "503", "504"];

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, "contract");

const operations = new Map(
  Object.entries(document.paths).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = item[method];
      const entry = operation && { path, method, operation, shared: item.parameters ?? [] };
      return entry ? [[entry.operation.operationId, entry] as const] : [];
    }),
  ),
);

/** Every problem code in the contract. */
export const CODES: readonly string[] =
  document.components.schemas.Problem.properties.code.description.split(". ")[0]?.match(/[a-z_]+/g) ?? [];

/** Every operation and status that the contract lists, for example `listOffers 304`. */
export const CONTRACT_RESPONSES: readonly string[] = [...operations].flatMap(([id, { operation }]) =>
  Object.keys(operation.responses).map((status) => `${id} ${status}`),
);

export type Call = {
  path?: Record<string, string>;
  query?: Record<string, string>;
  headers?: Record<string, string>;
  body?: unknown;
  token?: string;
  /** The request violates the contract on purpose. */
  malformed?: boolean;
};
export type Reply = { status: number; headers: Headers; body: Json };

/** A client that validates requests and responses against the contract and records the statuses and codes it has seen. */
export function createContractClient(base: string) {
  const seen = { answers: new Set<string>(), codes: new Set<string>() };

  async function call(operationId: string, given: Call = {}): Promise<Reply> {
    const { path, method, operation, shared } = find(operationId);
    const where = `contract#/paths/${escapePointer(path)}/${method}`;
    if (!given.malformed) checkRequest(where, [...shared, ...(operation.parameters ?? [])], operation, given);

    const url = new URL(
      path.replace(/\{(\w+)\}/g, (_, name: string) => given.path?.[name] ?? ""),
      base,
    );
    for (const [name, value] of Object.entries(given.query ?? {})) url.searchParams.set(name, value);
    const headers = new Headers(given.headers);
    if (given.token !== undefined) headers.set("authorization", `Bearer ${given.token}`);
    if (given.body !== undefined) headers.set("content-type", "application/json");
    const body = given.body === undefined ? null : JSON.stringify(given.body);
    const response = await fetch(url, { method: method.toUpperCase(), headers, body });
    const text = await response.text();
    const reply = {
      status: response.status,
      headers: response.headers,
      body: text === "" ? {} : JSON.parse(text),
    };

    checkReply(where, operation, reply, text);
    seen.answers.add(`${operationId} ${reply.status}`);
    if (typeof reply.body.code === "string") seen.codes.add(reply.body.code);
    return reply;
  }

  return { call, seen };
}

function find(operationId: string) {
  const found = operations.get(operationId);
  if (!found) throw new Error(`the contract has no operation ${operationId}`);
  return found;
}

function checkRequest(where: string, parameters: Parameter[], operation: Operation, given: Call): void {
  for (const parameter of parameters.map(resolve)) {
    const place = { path: given.path, query: given.query, header: given.headers }[parameter.in];
    const value = place?.[parameter.name];
    if (value === undefined && parameter.required) throw new Error(`${where}: ${parameter.name} is required`);
    if (value !== undefined) check(parameter.schema, value, `${where} ${parameter.name}`);
  }
  if (operation.requestBody)
    check({ $ref: `${where}/requestBody/content/application~1json/schema` }, given.body, where);
  else if (given.body !== undefined) throw new Error(`${where} must not have a body`);
  const open = operation.security?.length === 0;
  if (open && given.token !== undefined) throw new Error(`${where} must not have a token`);
}

function checkReply(where: string, operation: Operation, reply: Reply, text: string): void {
  const listed = operation.responses[reply.status];
  const label = `${where} ${reply.status}`;
  if (!listed && !COMMON_STATUSES.includes(String(reply.status)))
    throw new Error(`${label} is not in the contract: ${text}`);
  const answer = listed && (resolve(listed) as ResponseSpec);
  const type = (reply.headers.get("content-type") ?? "").split(";")[0] ?? "";
  if (reply.status >= 400) {
    if (type !== "application/problem+json")
      throw new Error(`${label} is ${type}, not problem details: ${text}`);
    check({ $ref: "contract#/components/schemas/Problem" }, reply.body, label);
    if (reply.body.status !== reply.status)
      throw new Error(`${label} has status ${String(reply.body.status)} in its body`);
    if (!CODES.includes(String(reply.body.code)))
      throw new Error(`${label}: unknown code ${String(reply.body.code)}`);
  } else if (answer?.content) {
    const content = answer.content[type];
    if (!content) throw new Error(`${label} is ${type}`);
    check(
      { $ref: `${where}/responses/${reply.status}/content/${escapePointer(type)}/schema` },
      reply.body,
      label,
    );
  } else if (text !== "") {
    throw new Error(`${label} must not have a body: ${text}`);
  }
  for (const name of Object.keys(answer?.headers ?? {})) {
    if (!reply.headers.has(name)) throw new Error(`${label} is missing ${name}`);
  }
}

const validators = new Map<string, ValidateFunction>();

function check(schema: Json, value: unknown, label: string): void {
  const name = JSON.stringify(schema);
  const validate = validators.get(name) ?? ajv.compile(rebase(schema));
  validators.set(name, validate);
  if (!validate(value))
    throw new Error(`${label}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(value)}`);
}

/** Compiles a schema of the document, whose references point into the document. */
function rebase(schema: Json): Json {
  const { $ref } = schema;
  return typeof $ref === "string" && $ref.startsWith("#") ? { $ref: `contract${$ref}` } : schema;
}

/** Resolves a reference into the document. */
function resolve<Thing extends object>(thing: Thing): Thing {
  if (!("$ref" in thing) || typeof thing.$ref !== "string") return thing;
  const steps = thing.$ref.slice(2).split("/");
  return steps.reduce<unknown>((at, step) => (at as Json)[step], document) as Thing;
}

function escapePointer(text: string): string {
  return encodeURIComponent(text.replaceAll("~", "~0").replaceAll("/", "~1"));
}
