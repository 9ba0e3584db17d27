import { malformed } from "./refusal.ts";

export type Params = { [name: string]: string | Params };

/** Parses `a=1&b[c]=2&d[0]=3&d[]=4` like Stripe: nested hashes, and lists by index. */
export function readForm(text: string): Params {
  const params: Params = {};
  for (const [name, value] of new URLSearchParams(text)) {
    const path = [
      name.split("[")[0] ?? "",
      ...[...name.matchAll(/\[([^\]]*)\]/g)].map(([, part]) => part ?? ""),
    ];
    let place = params;
    for (const [index, part] of path.entries()) {
      const key = part === "" && index > 0 ? String(Object.keys(place).length) : part;
      if (index === path.length - 1) {
        place[key] = value;
        break;
      }
      const next = place[key];
      place = place[key] = typeof next === "object" ? next : {};
    }
  }
  return params;
}

/** How to parse a parameter: a list means one of these strings, an object a hash of parameters, "any" anything. */
export type Kind =
  | "string"
  | "integer"
  | "boolean"
  | "list"
  | "metadata"
  | "any"
  | readonly string[]
  | { readonly [name: string]: Kind };

type Value<K> = K extends "integer"
  ? number
  : K extends "boolean"
    ? boolean
    : K extends "list"
      ? string[]
      : K extends "metadata"
        ? Record<string, string>
        : K extends "any"
          ? string | Params
          : K extends "string"
            ? string
            : K extends readonly (infer Word)[]
              ? Word
              : K extends object
                ? { [Name in keyof K]?: Value<K[Name]> }
                : never;

/**
 * Parses the parameters of a call. An empty string is allowed in text, metadata and lists of words that name it, where
 * it clears the value.
 * @throws {StripeRefusal} parameter_unknown, parameter_invalid_integer, parameter_invalid_empty and others
 */
export function readParams<const Known extends { readonly [name: string]: Kind }>(
  known: Known,
  params: Params,
): { [Name in keyof Known]?: Value<Known[Name]> } {
  return readHash(known, params, "") as { [Name in keyof Known]?: Value<Known[Name]> };
}

/** @throws {StripeRefusal} parameter_missing. */
export function required<Given>(value: Given | undefined, param: string): Given {
  if (value === undefined)
    throw malformed(`Missing required param: ${param}.`, { code: "parameter_missing", param });
  return value;
}

function readHash(
  known: { readonly [name: string]: Kind },
  params: Params,
  parent: string,
): Record<string, unknown> {
  const nameOf = (name: string) => (parent === "" ? name : `${parent}[${name}]`);
  const unknown = Object.keys(params).filter((name) => !Object.hasOwn(known, name));
  const [first] = unknown;
  if (first !== undefined) {
    const names = unknown.map(nameOf).join(", ");
    throw malformed(`Received unknown parameter${unknown.length === 1 ? "" : "s"}: ${names}`, {
      code: "parameter_unknown",
      param: nameOf(first),
    });
  }
  return Object.fromEntries(
    Object.entries(params).map(([name, value]) => [name, readOne(known[name] ?? "any", value, nameOf(name))]),
  );
}

function readOne(kind: Kind, value: string | Params, param: string): unknown {
  if (kind === "any") return value;
  if (kind === "metadata") return readMetadata(value, param);
  if (kind === "list") {
    if (typeof value === "string") throw malformed("Invalid array", { param });
    return Object.values(value).map(String);
  }
  if (typeof kind === "object" && !Array.isArray(kind)) {
    if (typeof value === "string") throw malformed("Invalid object", { param });
    return readHash(kind as { readonly [name: string]: Kind }, value, param);
  }
  if (typeof value !== "string") throw malformed("Invalid string", { param });
  if (kind === "string") return value;
  if (value === "" && !(Array.isArray(kind) && kind.includes(""))) {
    throw malformed(
      `You passed an empty string for '${param}'. We assume empty values are an attempt to unset a parameter; however '${param}' cannot be unset. You should remove '${param}' from your request or supply a non-empty value.`,
      { code: "parameter_invalid_empty", param },
    );
  }
  if (kind === "integer") {
    if (!/^-?\d+$/.test(value))
      throw malformed(`Invalid integer: ${value}`, { code: "parameter_invalid_integer", param });
    return Number(value);
  }
  if (kind === "boolean") {
    if (value !== "true" && value !== "false") throw malformed(`Invalid boolean: ${value}`, { param });
    return value === "true";
  }
  const words = kind as readonly string[];
  if (!words.includes(value)) throw malformed(`Invalid ${param}: must be one of ${orList(words)}`, { param });
  return value;
}

function readMetadata(value: string | Params, param: string): Record<string, string> {
  if (value === "") return {};
  if (typeof value === "string") throw malformed("Invalid hash", { param });
  const entries = Object.entries(value);
  if (entries.length > 50) throw malformed("Metadata can have at most 50 keys.", { param });
  for (const [key, text] of entries) {
    if (typeof text !== "string")
      throw malformed("Metadata values must be strings.", { param: `${param}[${key}]` });
    if (key.length > 40) throw malformed(`Metadata keys can have up to 40 characters: ${key}`, { param });
    if (text.length > 500) {
      throw malformed(
        `Metadata values can have up to 500 characters, but you passed in a value that is ${text.length} characters.`,
        { param: `${param}[${key}]` },
      );
    }
  }
  return value as Record<string, string>;
}

/** Merges metadata key by key; an empty value removes its key. */
export function mergeMetadata(
  before: Record<string, string>,
  given: Record<string, string>,
): Record<string, string> {
  return Object.fromEntries(Object.entries({ ...before, ...given }).filter(([, text]) => text !== ""));
}

function orList(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")}, or ${words.at(-1)}`;
}
