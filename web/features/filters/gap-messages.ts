import { m } from "../../messages/messages.js";

/** The next step for filters that no offer can fit, by the fields that the server or the draft names. */
export function gapMessages(fields: Readonly<Record<string, unknown>>): string {
  const names = Object.keys(fields);
  const messages = [
    names.includes("schedule") && m.filters_gap_schedule(),
    names.some((name) => name.endsWith(".durations")) && m.filters_gap_durations(),
    names.some((name) => name.endsWith(".warehouseId")) && m.filters_gap_unknown(),
  ].filter((message) => message !== false);
  const hasNone = names.includes("warehouses") || messages.length === 0;
  return [...(hasNone ? [m.filters_gap_warehouses()] : []), ...messages].join(" ");
}
