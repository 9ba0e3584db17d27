import * as z from "zod";

type Schema = z.core.$ZodType;
type Path = readonly (string | number)[];

/** A word that no release knows. */
export const NEW_WORD = "word_of_tomorrow";
const NEW_FIELD = { field_of_tomorrow: { at: 1 } };

/**
 * A sample with one thing in it that a later release could have put there. Reading it may change one of the `regions`, and
 * nothing else; without any, it changes nothing.
 */
export type Change = { name: string; value: unknown; regions: readonly Path[] };

/** Valid values of a schema: together they go through every case of every union. */
export function samplesOf(schema: Schema): unknown[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return objectSamples(Object.entries(def.shape));
    case "array": {
      const items = samplesOf(def.element);
      return [items, []].filter((list) => z.safeParse(schema, list).success).slice(0, 1);
    }
    case "tuple":
      return [def.items.map((item) => samplesOf(item)[0])];
    case "record": {
      const keys = isEnum(def.keyType) ? Object.values(def.keyType._zod.def.entries) : ["key"];
      const [value] = samplesOf(def.valueType);
      return [Object.fromEntries(keys.map((key) => [key, value]))];
    }
    case "union":
      return def.options.flatMap(samplesOf);
    case "nullable":
      return [...samplesOf(def.innerType), null];
    case "optional":
    case "default":
    case "readonly":
    case "catch":
      return samplesOf(def.innerType);
    case "enum":
      return Object.values(def.entries).slice(0, 1);
    case "literal":
      return def.values.slice(0, 1);
    case "boolean":
      return [true];
    default:
      return [scalarOf(schema)];
  }
}

/** The first variant of every field, and each other variant of a field beside them. */
function objectSamples(fields: readonly [string, Schema][]): unknown[] {
  const variants = fields.map(([name, field]) => [name, samplesOf(field)] as const);
  const base = Object.fromEntries(variants.map(([name, [first]]) => [name, first]));
  return [
    base,
    ...variants.flatMap(([name, [, ...others]]) => others.map((value) => ({ ...base, [name]: value }))),
  ];
}

const SCALARS: readonly unknown[] = [
  "sample-0001",
  "0f8fad5b-d9cb-469f-a165-70867728950e",
  1,
  60,
  10_000,
  "2026-11-23",
  "https://example.com/a",
  "+15550100101",
  "5550100101",
  "pm_1",
  "12345678",
  "B".repeat(87),
  "B".repeat(22),
  null,
];

function scalarOf(schema: Schema): unknown {
  const found = SCALARS.find((value) => z.safeParse(schema, value).success);
  if (found === undefined) throw new Error(`no sample of a ${schema._zod.def.type}: add one to SCALARS`);
  return found;
}

/** Everything that a later release could have put into a sample, one thing at a time; what was `tried` before is left out. */
export function changesOf(schema: Schema, sample: unknown, tried: Set<string>): Change[] {
  return walk(schema, sample, { path: [], regions: [] }).flatMap(({ path, value, regions, what }) => {
    const name = `${what} at ${path.join(".") || "the top"}`;
    // The items of a list are alike, but for the case of a union that each of them is.
    const key = `${what} ${path.map((part) => (typeof part === "number" ? "#" : part)).join(".")} ${Object.keys(isRecord(value) ? value : {}).join()}`;
    if (tried.has(key)) return [];
    tried.add(key);
    return [{ name, value: replaceAt(sample, path, value), regions }];
  });
}

/** A sample with each word that this release may send in place of its first one. */
export function wordVariantsOf(schema: Schema, sample: unknown): { name: string; value: unknown }[] {
  return walk(schema, sample, { path: [], regions: [] }).flatMap(({ path, words = [] }) =>
    words
      .filter((word) => word !== "other")
      .map((word) => ({ name: `${word} at ${path.join(".")}`, value: replaceAt(sample, path, word) })),
  );
}

type Place = { path: Path; regions: readonly Path[] };
type Step = Place & { value: unknown; what: string; words?: readonly unknown[] };

function walk(schema: Schema, value: unknown, place: Place): Step[] {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const { path, regions } = place;
  const own = { path, regions: [path, ...regions] };
  const at = (key: string | number): Place => ({ path: [...path, key], regions });
  switch (def.type) {
    case "enum":
      return [{ ...own, value: NEW_WORD, what: "an unknown word", words: Object.values(def.entries) }];
    case "object": {
      const fields = isRecord(value) ? value : {};
      return [
        // One that keeps what it doesn't know has it afterwards.
        {
          path,
          regions: isLoose(def) ? [path] : [],
          value: { ...fields, ...NEW_FIELD },
          what: "one more field",
        },
        ...Object.entries(def.shape).flatMap(([name, field]) =>
          name in fields ? walk(field, fields[name], at(name)) : [],
        ),
      ];
    }
    case "array": {
      const items: unknown[] = Array.isArray(value) ? value : [];
      const first = [[...path, 0]];
      return [
        ...[null, 7, NEW_WORD, [], {}]
          .filter((item) => !z.safeParse(def.element, item).success)
          .map((item) => ({
            path,
            regions: first,
            value: [item, ...items],
            what: `the malformed item ${JSON.stringify(item)}`,
          })),
        ...items.flatMap((item, index) =>
          walk(def.element, item, { path: [...path, index], regions: [[...path, index]] }),
        ),
      ];
    }
    case "tuple":
      return Array.isArray(value)
        ? value.flatMap((item, index) => {
            const field = def.items[index];
            return field ? walk(field, item, at(index)) : [];
          })
        : [];
    case "record": {
      const entries = isRecord(value) ? value : {};
      const [more] = Object.values(entries);
      return [
        ...(isEnum(def.keyType)
          ? [{ path, regions: [], value: { ...entries, [NEW_WORD]: more }, what: "one more entry" }]
          : []),
        ...Object.entries(entries).flatMap(([key, entry]) =>
          walk(def.valueType, entry, { path: [...path, key], regions: [[...path, key]] }),
        ),
      ];
    }
    case "union": {
      const option = def.options.find((candidate) => z.safeParse(candidate, value).success);
      const inside = option ? walk(option, value, own) : [];
      if (!("discriminator" in def) || !isRecord(value)) return inside;
      const { discriminator } = def as z.core.$ZodDiscriminatedUnionDef;
      const unknownCase = { [discriminator]: NEW_WORD, ...NEW_FIELD };
      return [{ ...own, value: { ...value, ...unknownCase }, what: "an unknown case" }, ...inside];
    }
    case "nullable":
      return value === null ? [] : walk(def.innerType, value, own);
    case "optional":
    case "default":
      return value === undefined ? [] : walk(def.innerType, value, own);
    case "readonly":
    case "catch":
      return walk(def.innerType, value, place);
    default:
      return [];
  }
}

/** Whether two values are the same but for one of the regions. An item of a list may be missing. */
export function differsOnlyIn(regions: readonly Path[], expected: unknown, found: unknown): boolean {
  return (
    isSame(expected, found) ||
    regions.some((region) => {
      const [rest, left] = [without(expected, region), without(found, region)];
      return isSame(rest, left) || isSame(rest, found) || isSame(expected, left);
    })
  );
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function replaceAt(value: unknown, path: Path, next: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return next;
  if (Array.isArray(value))
    return value.map((item: unknown, index) => (index === key ? replaceAt(item, rest, next) : item));
  return isRecord(value) ? { ...value, [key]: replaceAt(value[key], rest, next) } : value;
}

function without(value: unknown, path: Path): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return undefined;
  if (Array.isArray(value))
    return value.flatMap((item: unknown, index) =>
      index !== key ? [item] : rest.length === 0 ? [] : [without(item, rest)],
    );
  if (!isRecord(value)) return value;
  const { [key]: field, ...others } = value;
  return rest.length === 0 ? others : { ...value, [key]: without(field, rest) };
}

function isLoose(def: z.core.$ZodObjectDef): boolean {
  return def.catchall?._zod.def.type === "unknown";
}

function isEnum(schema: Schema): schema is z.core.$ZodEnum {
  return schema._zod.def.type === "enum";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
