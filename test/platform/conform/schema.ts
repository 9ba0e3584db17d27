import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { parse } from "yaml";
import * as z from "zod";

const text = readFileSync(
  new URL("../../../durable/platform/platform.openapi.yaml", import.meta.url),
  "utf8",
);
const operation = z.looseObject({
  operationId: z.string(),
  responses: z.record(z.string(), z.looseObject({ content: z.record(z.string(), z.unknown()).optional() })),
});
const document = z
  .looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) })
  .parse(parse(text));

const ajv = new Ajv2020({ strict: false, allErrors: true });
addFormats.default(ajv);
ajv.addSchema(document, "contract");

const places = new Map(
  Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, given]) => {
      const found = operation.safeParse(given).data;
      return found ? [[found.operationId, { path, method, responses: found.responses }] as const] : [];
    }),
  ),
);

/** What an answer has against the contract, each with the place in the body. */
export function violationsOf(call: string, { status, body }: { status: number; body: unknown }): string[] {
  if (status >= 500) return [];
  if (status >= 400) return validate("contract#/components/schemas/Problem", body);
  const place = places.get(call);
  const response = place?.responses[String(status)];
  if (!place || !response) return [`status ${status} is not in the contract`];
  if (!response.content) return [];
  const path = place.path.replaceAll("/", "~1");
  return validate(
    `contract#/paths/${path}/${place.method}/responses/${status}/content/application~1json/schema`,
    body,
  );
}

function validate(ref: string, body: unknown): string[] {
  const check = ajv.getSchema(ref) ?? ajv.compile({ $ref: ref });
  if (check(body) === true) return [];
  return (check.errors ?? []).map(({ instancePath, message, params }) => {
    const field = instancePath.split("/").filter((part) => part !== "" && !/^\d+$/.test(part));
    const missing: unknown = params["missingProperty"];
    if (typeof missing === "string") return `${[...field, missing].join(".")} is missing`;
    return `${field.join(".") || "the body"} ${message ?? "is another"}`;
  });
}
