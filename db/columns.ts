import { customType } from "drizzle-orm/sqlite-core";
import * as z from "zod/mini";

/**
 * A text column with an enum of values. A value that we don't know, written by another deployment or an operator,
 * reads as `fallback` and stays in its row unchanged.
 */
export function wordColumn<Word extends string, Fallback extends Word | null>(
  name: string,
  words: z.core.$ZodType<Word>,
  fallback: Fallback,
) {
  return customType<{ data: Word | Fallback; driverData: string }>({
    dataType: () => "text",
    fromDriver: (stored) => {
      const known = z.safeParse(words, stored);
      return known.success ? known.data : fallback;
    },
  })(name);
}

/** A JSON column. `read` must accept any stored value; it gets `undefined` if the text is not JSON. */
export function jsonColumn<Value>(name: string, read: (stored: unknown) => Value) {
  return customType<{ data: Value; driverData: string }>({
    dataType: () => "text",
    toDriver: (value) => JSON.stringify(value),
    fromDriver: (stored) => read(parseJson(stored)),
  })(name);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
