import { addErrorReport } from "../../db/queries/operators/error-groups.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { Deps } from "../../durable/deps.ts";
import { describeError } from "../../durable/runtime/describe-error.ts";
import { VERSION } from "../../durable/runtime/version.ts";

/** A page's error, redacted. */
export type ReportedError = {
  caller: string;
  name: string;
  message: string | null;
  stack: string | null;
  driverId: DriverId | null;
  requestId: string;
};

const PLACE_LENGTH = 200;

/** Adds an error to the reports of the same one, for the console. Never throws: the log has it already. */
export async function groupError(
  { db, now, log }: Pick<Deps, "db" | "now" | "log">,
  { driverId, requestId, ...error }: ReportedError,
): Promise<void> {
  const { caller, name, message, stack } = error;
  const place = placeInStack(stack);
  try {
    const id = await hash([caller, name, message && withoutFigures(message), place]);
    await addErrorReport(db, {
      id,
      caller,
      name,
      message,
      place,
      stack,
      requestId,
      driverId,
      version: VERSION,
      at: now(),
    });
  } catch (failure) {
    log("warn", "page.error.group.failed", describeError(failure));
  }
}

/**
 * The function and file that a stack begins with, without address, hash, line and column, all of which change with each
 * build: `at render (https://…/assets/feed-Bx3f9_2a.js:1:3812)` is `render feed.js`.
 */
export function placeInStack(stack: string | null): string | null {
  for (const line of stack?.split("\n") ?? []) {
    const found =
      /^\s*at (?:(?:async )?([^\s(]+) \()?(?:\S*\/)?([\w.-]+?):\d+:\d+\)?$/.exec(line) ??
      /^([^@\s]*)@(?:\S*\/)?([\w.-]+?):\d+:\d+$/.exec(line);
    if (!found) continue;
    const [, name = "", file = ""] = found;
    const plain = file.replace(/-[\w-]{8}(?=\.\w+$)/, "");
    return `${name} ${plain}`.trim().slice(0, PLACE_LENGTH);
  }
  return null;
}

function withoutFigures(message: string): string {
  return message.replaceAll(/\d+/g, "#");
}

async function hash(parts: readonly (string | null)[]): Promise<string> {
  const bytes = new TextEncoder().encode(JSON.stringify(parts));
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest.slice(0, 16), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
