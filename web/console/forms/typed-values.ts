import type { Cents } from "../../../db/shapes/units.ts";
import { m } from "../messages/messages.js";

const SHORTEST_REASON = 3;

/** Cents of an amount as it was typed, with a point or a comma before its cents; null for what is none. */
export function parseAmount(typed: string): Cents | null {
  const found = /^(\d{1,7})(?:[.,](\d{1,2}))?$/.exec(typed.trim());
  if (!found) return null;
  return Number(found[1]) * 100 + Number((found[2] ?? "").padEnd(2, "0"));
}

/** A whole number other than zero as it was typed; null for what is none. */
export function parseChange(typed: string): number | null {
  const text = typed.trim().replace("−", "-");
  return /^[+-]?\d{1,6}$/.test(text) && Number(text) !== 0 ? Number(text) : null;
}

/** The reason that was typed; null if it is too short to be one. */
export function parseReason(typed: string): string | null {
  const reason = typed.trim();
  return reason.length < SHORTEST_REASON ? null : reason;
}

/** The server's verdict on a figure that is too much or too little as things stand; none where it has nothing against it. */
export function boundMessage(issue: string | undefined): string | undefined {
  if (issue === undefined) return undefined;
  return issue === "too_small" ? m.issue_too_small() : m.issue_too_large();
}
