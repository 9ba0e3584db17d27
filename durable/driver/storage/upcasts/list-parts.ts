import * as z from "zod/mini";

const listPartsV1 = z.nullable(z.object({ size: z.int(), read: z.int() }));

/** Version 1 counted parts instead of warehouses, and not what they held: the next poll begins with the first warehouse. */
export function upcastListPartsV1(value: unknown): unknown {
  const parts = z.parse(listPartsV1, value);
  return parts && { size: parts.size, read: 0, length: 0 };
}
