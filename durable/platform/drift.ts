import type * as z from "zod";

/** Names a field of an answer that is not as the contract says: the call, and where the field stands. Never its value. */
export type NoteDrift = (field: string) => void;

/** Reads something that a contract field may hold, or says that it can't: two readings of one shape. */
export type Reading<Value> = {
  /** As the contract has it. What fails here is named. */
  strict: z.ZodType<Value>;
  /** Also what is written otherwise, where it has one meaning. */
  generous: z.ZodType<Value>;
};

/**
 * Reads a value by the contract, or else generously, and names the fields that are not as the contract says.
 * @returns undefined if it can't be read
 */
export function read<Value>(
  { strict, generous }: Reading<Value>,
  given: unknown,
  note: NoteDrift,
): Value | undefined {
  const parsed = strict.safeParse(given);
  if (parsed.success) return parsed.data;
  noteIssues(parsed.error, note);
  return generous.safeParse(given).data;
}

/** Names what an answer that was read otherwise has against the contract. */
export function nameDrift(strict: z.ZodType, given: unknown, note: NoteDrift): void {
  const parsed = strict.safeParse(given);
  if (!parsed.success) noteIssues(parsed.error, note);
}

/** Positions in lists are left out: `blocks.pay.amount`, whichever block it is. The whole is named only where no field is. */
function noteIssues({ issues }: z.core.$ZodError, note: NoteDrift): void {
  const names = issues.map(({ path }) => path.filter((part) => typeof part === "string").join("."));
  const fields = new Set(names.filter((name) => name !== ""));
  if (fields.size === 0) note("body");
  for (const field of fields) note(field);
}

/** Reads each item of a list; `skipped` counts those that can't be read. */
export function readItems<Item>(
  reading: Reading<Item>,
  { items, list, note }: { items: readonly unknown[]; list: string; note: NoteDrift },
): { items: Item[]; skipped: number } {
  const found = items.flatMap((item) => {
    const value = read(reading, item, (field) => note(field === "body" ? list : `${list}.${field}`));
    return value === undefined ? [] : [value];
  });
  return { items: found, skipped: items.length - found.length };
}
