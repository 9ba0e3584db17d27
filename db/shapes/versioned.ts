import * as z from "zod/mini";

/** Takes a stored value from one version to the next. What it is given was never parsed and may be anything. */
export type Upcast = (stored: unknown) => unknown;

/**
 * A value that outlives the code that wrote it: its shape today, and how each earlier version becomes the
 * next. Version 0 is what was stored before values carried a version. A changed shape needs one more
 * upcast; a test compares every shape with its fingerprint in `test/fixtures/stored/shapes.json`.
 */
export type Versioned<Value> = { shape: z.core.$ZodType<Value>; upcasts: readonly Upcast[] };

/** For a step between two versions in which a shape stayed as it was. */
export const unchanged: Upcast = (stored) => stored;

/** The version under which values are written today. */
export function versionOf({ upcasts }: Pick<Versioned<unknown>, "upcasts">): number {
  return upcasts.length;
}

/**
 * Reads a value of any version, step by step. One from a version that is not known here yet, as after a
 * deployment was taken back, is read as far as today's shape fits it.
 * @throws where it can't be read
 */
export function parseVersioned<Value>(
  { shape, upcasts }: Versioned<Value>,
  { version, value }: { version: number; value: unknown },
): Value {
  const latest = upcasts.slice(version).reduce((earlier, upcast) => upcast(earlier), value);
  return z.parse(shape, latest);
}

const envelope = z.strictObject({ v: z.int().check(z.positive()), value: z.unknown() });

/** A value with its version, for stores that keep one text and nothing beside it. */
export function encodeVersioned<Value>(versioned: Versioned<Value>, value: Value): string {
  return JSON.stringify({ v: versionOf(versioned), value } satisfies z.infer<typeof envelope>);
}

/**
 * Reads what `encodeVersioned` wrote, or what stood there before values carried a version.
 * @throws where it can't be read
 */
export function decodeVersioned<Value>(versioned: Versioned<Value>, text: string): Value {
  const stored: unknown = JSON.parse(text);
  const wrapped = z.safeParse(envelope, stored);
  const { v: version, value } = wrapped.success ? wrapped.data : { v: 0, value: stored };
  return parseVersioned(versioned, { version, value });
}

/** The value with one of its keys called otherwise; anything but an object with that key stays as it is. */
export function renameKey(stored: unknown, from: string, to: string): unknown {
  if (!isRecord(stored) || !(from in stored)) return stored;
  const { [from]: value, ...rest } = stored;
  return { ...rest, [to]: value };
}

export function isRecord(stored: unknown): stored is Record<string, unknown> {
  return typeof stored === "object" && stored !== null && !Array.isArray(stored);
}
