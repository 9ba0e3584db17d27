import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import * as z from "zod";

const schema = z.record(z.string(), z.unknown());
const parameter = z.object({
  name: z.string(),
  in: z.string(),
  required: z.boolean().default(false),
  schema,
});
const ref = z.object({ $ref: z.string() });
const content = z.record(z.string(), z.object({ schema }));
const operation = z.object({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.union([ref, parameter])).default([]),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.union([ref, z.object({ content: content.optional() })])),
});
const document = z.object({ paths: z.record(z.string(), schema), components: schema });

const source: unknown = parse(
  readFileSync(new URL("../../durable/platform/platform.openapi.yaml", import.meta.url), "utf8"),
);
const contract = document.parse(source);
const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(contract, "contract");

const recorded = z.object({
  operation: z.string(),
  status: z.int(),
  headers: z.record(z.string(), z.string()),
  body: z.unknown().optional(),
});
/** A recorded response of the platform, with fields that are not in the contract. */
export type Recorded = z.infer<typeof recorded>;

const folder = new URL("../fixtures/platform/", import.meta.url);

/** Every recorded response by file name. */
export const RECORDED: ReadonlyMap<string, Recorded> = new Map(
  readdirSync(folder).map((file) => {
    const json: unknown = JSON.parse(readFileSync(new URL(file, folder), "utf8"));
    return [file.replace(".json", ""), recorded.parse(json)];
  }),
);

/** How a recorded response violates the contract. */
export function responseViolations({ operation: id, status, body }: Recorded): string[] {
  const found = operations().find(({ operation }) => operation.operationId === id);
  const given = found?.operation.responses[String(status)];
  if (!found || !given) return [`${id} ${status} is not in the contract`];
  const response = "$ref" in given ? z.object({ content }).parse(resolve(given.$ref)) : given;
  const media = Object.values(response.content ?? {})[0];
  if (!media) return body === undefined ? [] : ["no body is foreseen"];
  return schemaViolations(media.schema, body);
}

/** How a request violates the contract. */
export async function requestViolations(request: Request): Promise<string[]> {
  const { pathname, searchParams } = new URL(request.url);
  const candidates = operations().filter(({ method }) => method === request.method.toLowerCase());
  const found =
    candidates.find(({ path }) => path === pathname) ??
    candidates.find(({ path }) => new RegExp(`^${path.replace(/\{\w+\}/g, "[\\w-]{1,64}")}$`).test(pathname));
  if (!found) return [`${request.method} ${pathname} is not in the contract`];
  const { operation, path } = found;
  const parameters = operation.parameters.filter((given) => "name" in given);
  const known = new Set(parameters.filter((given) => given.in === "query").map(({ name }) => name));
  const body = await request.clone().text();
  const media = operation.requestBody?.content["application/json"];
  const json: unknown = body === "" ? undefined : JSON.parse(body);
  return [
    ...parameters.flatMap(({ name, in: place, required, schema }) => {
      const value = place === "query" ? searchParams.get(name) : request.headers.get(name);
      if (value === null) return required ? [`${path} misses ${name}`] : [];
      return schemaViolations(schema, value);
    }),
    ...[...searchParams.keys()].filter((name) => !known.has(name)).map((name) => `${name} is not foreseen`),
    ...(media ? schemaViolations(media.schema, json) : body === "" ? [] : ["no body is foreseen"]),
    ...((operation.security === undefined) === request.headers.has("authorization")
      ? []
      : [`${path} with or without a token`]),
  ];
}

function schemaViolations(shape: z.infer<typeof schema>, value: unknown): string[] {
  const pointed = schema.parse(JSON.parse(JSON.stringify(shape).replaceAll('"#/', '"contract#/')));
  const check = ajv.compile(pointed);
  return check(value) ? [] : (check.errors ?? []).map((error) => `${error.instancePath} ${error.message}`);
}

function operations() {
  return Object.entries(contract.paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => ["get", "post", "put", "patch", "delete"].includes(method))
      .map(([method, given]) => ({ path, method, operation: operation.parse(given) })),
  );
}

function resolve(pointer: string): unknown {
  let found: unknown = contract;
  for (const part of pointer.slice(2).split("/")) found = schema.parse(found)[part];
  return found;
}
