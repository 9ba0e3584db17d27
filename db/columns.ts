import { customType } from "drizzle-orm/sqlite-core";
import * as z from "zod/mini";

/**
 * Text from a closed list. Another deployment or an operator may have written a word that this code doesn't
 * know: it reads as `fallback`, and the row keeps it.
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

/** A JSON value. `read` gets whatever is stored, or `undefined` where that isn't JSON, and must not throw. */
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
