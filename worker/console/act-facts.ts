import type { ActFacts } from "../../db/shapes/operators.ts";
import type { DriverAct } from "../contract/console/operator-acts.ts";

/** The log's facts about an act on a driver. Of a phone number it has the end. */
export function factsOf(input: DriverAct): ActFacts {
  if (input.act === "change_number")
    return { end: input.phoneNumber.slice(-4), checks: input.checks.join(", ") };
  const { act: _act, reason: _reason, ...what } = input;
  return what;
}
