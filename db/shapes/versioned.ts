import * as z from "zod/mini";
import { parseTolerantly } from "./tolerant.ts";

/** Converts a stored value from one version to the next. The input is unparsed and may be anything. */
export type Upcast = (stored: unknown) => unknown;

/**
 * The shape of a stored value and the upcasts from earlier versions, each to the next. Version 0 is a value without
 * a stored version. A changed shape needs one more upcast; a test compares every shape with its fingerprint in
 * `test/fixtures/stored/shapes.json`. One more word, case or optional field is no change: an earlier release reads it as
 * `parseTolerantly` does.
 */
export type Versioned<Value> = { shape: z.core.$ZodType<Value>; upcasts: readonly Upcast[] };

/** The upcast between two versions with the same shape. */
export const unchanged: Upcast = (stored) => stored;

/** The current version, which new values are written with. */
export function versionOf({ upcasts }: Pick<Versioned<unknown>, "upcasts">): number {
  return upcasts.length;
}

/**
 * Parses a value of any version, upcasting it step by step. A value of a later version, for example after a rollback,
 * is parsed with the current shape.
 * @param onUnread gets the paths of what could not be read and was left out, or read as `other`
 * @throws if it can't be parsed
 */
export function parseVersioned<Value>(
  { shape, upcasts }: Versioned<Value>,
  { version, value }: { version: number; value: unknown },
  onUnread: (paths: readonly string[]) => void = () => {},
): Value {
  const latest = upcasts.slice(version).reduce((earlier, upcast) => upcast(earlier), value);
  const read = parseTolerantly(shape, latest);
  if (read.unread.length > 0) onUnread(read.unread);
  return read.value;
}

const envelope = z.strictObject({ v: z.int().check(z.positive()), value: z.unknown() });

/** Encodes a value and its version as one text. */
export function encodeVersioned<Value>(versioned: Versioned<Value>, value: Value): string {
  return JSON.stringify({ v: versionOf(versioned), value } satisfies z.infer<typeof envelope>);
}

/**
 * Decodes what `encodeVersioned` returned, or a bare version 0 value.
 * @throws if it can't be parsed
 */
export function decodeVersioned<Value>(versioned: Versioned<Value>, text: string): Value {
  const stored: unknown = JSON.parse(text);
  const wrapped = z.safeParse(envelope, stored);
  const { v: version, value } = wrapped.success ? wrapped.data : { v: 0, value: stored };
  return parseVersioned(versioned, { version, value });
}

/** Renames a key of an object. Anything else is returned unchanged. */
export function renameKey(stored: unknown, from: string, to: string): unknown {
  if (!isRecord(stored) || !(from in stored)) return stored;
  const { [from]: value, ...rest } = stored;
  return { ...rest, [to]: value };
}

export function isRecord(stored: unknown): stored is Record<string, unknown> {
  return typeof stored === "object" && stored !== null && !Array.isArray(stored);
}
