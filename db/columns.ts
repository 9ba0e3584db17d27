import { customType } from "drizzle-orm/sqlite-core";
import * as z from "zod/mini";

/**
 * Text out of a closed list of words. Another deployment, or an operator, may have written one that is not
 * known here: it reads as `fallback`, and stays in its row as it is.
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

/** A value in JSON. `read` makes the best of whatever is stored; of a text that is no JSON it is given `undefined`. */
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
