import { serverMessage, type ServerMessage } from "../../../db/shapes/work/live.ts";
import { isUnknownCase, readShape } from "../../../db/shapes/tolerant.ts";

/**
 * Reads a message of the driver's object, perhaps of a later release. `unknown`: of a kind that this page doesn't know,
 * which the next snapshot makes up for. `unreadable`: what it says is missing here.
 */
export function readMessage(data: unknown): ServerMessage | "unknown" | "unreadable" {
  if (typeof data !== "string") return "unreadable";
  try {
    const message: unknown = JSON.parse(data);
    return isUnknownCase(serverMessage, message) ? "unknown" : readShape(serverMessage, message);
  } catch {
    return "unreadable";
  }
}
