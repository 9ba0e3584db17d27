import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import type { Operator } from "../contract/console/operators.ts";

const MARK_LENGTH = 12;

/** An operator in the log and in names of alerts, which name nobody: the first digits of their name's SHA-256. */
export async function operatorMark({ name }: Pick<Operator, "name">): Promise<string> {
  return (await sha256Hex(name)).slice(0, MARK_LENGTH);
}
