import { seconds } from "./act.ts";
import type { Params } from "./form.ts";
import { malformed, missing } from "./refusal.ts";
import type { View } from "./views/view.ts";

/** Parameters of every list operation. */
export const PAGE = {
  limit: "integer",
  starting_after: "string",
  ending_before: "string",
  expand: "list",
} as const;

/** A time filter: one instant in seconds, or bounds. */
export const SPAN = { gt: "integer", gte: "integer", lt: "integer", lte: "integer" } as const;

type Page = {
  limit?: number | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
};

/**
 * One page of rows, which are sorted newest first.
 * @throws {StripeRefusal} for a limit out of range or an unknown cursor
 */
export function pageOf<Row extends { id: string }>(
  rows: readonly Row[],
  page: Page,
  { url, kind, view }: { url: string; kind: string; view: (row: Row) => View },
): View {
  const { limit = 10, starting_after: after, ending_before: before } = page;
  if (limit < 1 || limit > 100) {
    throw malformed(
      limit < 1
        ? "This value must be greater than or equal to 1."
        : "This value must be less than or equal to 100.",
      { code: "parameter_invalid_integer", param: "limit" },
    );
  }
  if (after !== undefined && before !== undefined) {
    throw malformed("You may only specify one of these parameters: ending_before, starting_after.", {
      code: "parameters_exclusive",
    });
  }
  const indexOf = (id: string, param: string) => {
    const index = rows.findIndex((row) => row.id === id);
    if (index < 0) throw missing(kind, id, param);
    return index;
  };
  if (before !== undefined) {
    const end = indexOf(before, "ending_before");
    const start = Math.max(0, end - limit);
    return { object: "list", url, has_more: start > 0, data: rows.slice(start, end).map(view) };
  }
  const start = after === undefined ? 0 : indexOf(after, "starting_after") + 1;
  const data = rows.slice(start, start + limit).map(view);
  return { object: "list", url, has_more: start + limit < rows.length, data };
}

/** `created` is one instant or a hash of bounds. */
export const createdKind = (params: Params) =>
  typeof params["created"] === "object" ? SPAN : ("integer" as const);

type Span = { gt?: number; gte?: number; lt?: number; lte?: number };
export function spanOf(created: number | Span | undefined): Span {
  return typeof created === "number" ? { gte: created, lte: created } : (created ?? {});
}

/** Whether an instant in seconds is within the time filter. */
export function isWithin(at: number, span: Span): boolean {
  const { gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = span;
  const instant = seconds(at);
  return instant > gt && instant >= gte && instant < lt && instant <= lte;
}
