import * as z from "zod/mini";

/** Converts a stored value from one version to the next. Its input is unparsed, so it may be anything. */
export type Upcast = (stored: unknown) => unknown;

/**
 * A stored value's current shape, and the upcast from each earlier version to the next. Version 0 is what was
 * stored before values carried a version. Changing the shape takes one more upcast: a test compares every
 * shape with its fingerprint in `test/fixtures/stored/shapes.json`.
 */
export type Versioned<Value> = { shape: z.core.$ZodType<Value>; upcasts: readonly Upcast[] };

/** The upcast where the shape is the same in both versions. */
export const unchanged: Upcast = (stored) => stored;

/** The version that values are written with. */
export function versionOf({ upcasts }: Pick<Versioned<unknown>, "upcasts">): number {
  return upcasts.length;
}

/**
 * Parses a value of any version, upcasting it step by step. A version newer than this code, as after a
 * rollback, is parsed with the current shape.
 * @throws where the value doesn't fit the shape
 */
export function parseVersioned<Value>(
  { shape, upcasts }: Versioned<Value>,
  { version, value }: { version: number; value: unknown },
): Value {
  const latest = upcasts.slice(version).reduce((earlier, upcast) => upcast(earlier), value);
  return z.parse(shape, latest);
}

const envelope = z.strictObject({ v: z.int().check(z.positive()), value: z.unknown() });

/** Serializes a value together with its version, for stores that hold a single string. */
export function encodeVersioned<Value>(versioned: Versioned<Value>, value: Value): string {
  return JSON.stringify({ v: versionOf(versioned), value } satisfies z.infer<typeof envelope>);
}

/**
 * Parses what `encodeVersioned` wrote, or a plain value from before that (version 0).
 * @throws where it isn't JSON or doesn't fit the shape
 */
export function decodeVersioned<Value>(versioned: Versioned<Value>, text: string): Value {
  const stored: unknown = JSON.parse(text);
  const wrapped = z.safeParse(envelope, stored);
  const { v: version, value } = wrapped.success ? wrapped.data : { v: 0, value: stored };
  return parseVersioned(versioned, { version, value });
}

/** Renames a key; a value that isn't an object with that key is returned as it is. */
export function renameKey(stored: unknown, from: string, to: string): unknown {
  if (!isRecord(stored) || !(from in stored)) return stored;
  const { [from]: value, ...rest } = stored;
  return { ...rest, [to]: value };
}

export function isRecord(stored: unknown): stored is Record<string, unknown> {
  return typeof stored === "object" && stored !== null && !Array.isArray(stored);
}
