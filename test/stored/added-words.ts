import * as z from "zod";
import { readFixture } from "./golden.ts";

/**
 * Words that a field got after its shape had been stored, by the field's name. Earlier releases read them as `other`, so the
 * shape needed no new version; its fingerprint is the one without them.
 */
const ADDED_WORDS = z.record(z.string(), z.array(z.string())).parse(readFixture("added-words.json"));

const field = z.looseObject({ const: z.string().optional(), enum: z.array(z.unknown()).optional() });

/** A JSON schema without the added words and the cases of a union that they name. */
export function withoutAddedWords(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.filter((option) => !isAddedCase(option)).map(withoutAddedWords);
  if (!isRecord(schema)) return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [
      key,
      key === "properties" && isRecord(value) ? withoutWords(value) : withoutAddedWords(value),
    ]),
  );
}

function withoutWords(properties: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, property]) => {
      const words = field.safeParse(property).data?.enum;
      const known = words?.filter((word) => !isAdded(name, word));
      return [name, known && isRecord(property) ? { ...property, enum: known } : withoutAddedWords(property)];
    }),
  );
}

/** Whether an option of a union is the case of an added word. */
function isAddedCase(option: unknown): boolean {
  if (!isRecord(option) || !isRecord(option["properties"])) return false;
  return Object.entries(option["properties"]).some(([name, property]) =>
    isAdded(name, field.safeParse(property).data?.const),
  );
}

function isAdded(name: string, word: unknown): boolean {
  return typeof word === "string" && ADDED_WORDS[name]?.includes(word) === true;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
