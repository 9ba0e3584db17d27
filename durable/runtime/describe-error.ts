import * as z from "zod";

const MAX_FRAMES = 12;
const MAX_CAUSES = 4;
const MAX_FILE_SEGMENTS = 4;
const IDENTIFIER = /^[A-Za-z_$][\w$.]{0,63}$/;
/** `    at async Object.name [as alias] (file:line:column)`, as V8 writes it. Nothing else of a stack is taken. */
const FRAME =
  /^ {4}at (?:async )?(?:(?:new )?([A-Za-z_$<#][\w$.<>#]{0,79})(?: \[as [\w$.<>#]{1,80}\])? \()?(?:[a-z+]+:\/\/)?([\w.@+~$/-]{1,400})(?:\?[^\s():]*)?:(\d{1,7}):(\d{1,7})\)?$/;

const thrownFacts = z.object({ error: z.string(), frames: z.array(z.string()) });
const errorDescription = thrownFacts.extend({ causes: z.array(thrownFacts) });

type ThrownFacts = z.infer<typeof thrownFacts>;

/** What was thrown, as facts of a log line: its class, where it was thrown, and the same of what caused it. */
export type ErrorDescription = z.infer<typeof errorDescription>;

/**
 * Crosses from an object to its caller in place of what was thrown there. The runtime logs what an object's method
 * throws, message included, and leaves its stack behind; this has no message to hide, and takes its place along.
 */
export class RemoteError extends Error {
  override name = "RemoteError";
  /** Read by `describeError` on the other side, where this class is lost. */
  readonly origin: ErrorDescription;

  constructor(thrown: unknown) {
    super("described by its origin");
    this.origin = describeError(thrown);
  }
}

/**
 * Describes an error that nobody expected. Messages are left out: they quote queries with their parameters, other
 * services' answers and whatever else must not be logged.
 */
export function describeError(thrown: unknown): ErrorDescription {
  const causes: ThrownFacts[] = [];
  const seen = new Set([thrown]);
  let cause = causeOf(thrown);
  while (cause !== undefined && !seen.has(cause) && causes.length < MAX_CAUSES) {
    seen.add(cause);
    causes.push(factsOf(cause));
    cause = causeOf(cause);
  }
  return { ...factsOf(thrown), causes: [...originOf(thrown), ...causes] };
}

/** What a call to an object failed for, as that object described it. */
function originOf(thrown: unknown): ThrownFacts[] {
  if (!(thrown instanceof Error) || !("origin" in thrown)) return [];
  const { data } = errorDescription.safeParse(thrown.origin);
  return data ? [{ error: data.error, frames: data.frames }, ...data.causes] : [];
}

/** The class of what was thrown: all that a log says of an error that was expected. */
export function errorName(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  // A class that sets no name inherits `Error`.
  const name = thrown.name === "Error" ? thrown.constructor.name : thrown.name;
  return IDENTIFIER.test(name) ? name : "Error";
}

function factsOf(thrown: unknown): ThrownFacts {
  return { error: errorName(thrown), frames: thrown instanceof Error ? framesOf(thrown) : [] };
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? (thrown.cause ?? undefined) : undefined;
}

/** `name (file:line:column)`, the innermost first. A message may have lines that look like frames: it is cut off before. */
function framesOf({ stack = "", message }: Error): string[] {
  const messageAt = stack.indexOf(message);
  const lines = stack.slice(messageAt < 0 ? 0 : messageAt + message.length).split("\n");
  return lines.flatMap(parseFrame).slice(0, MAX_FRAMES);
}

function parseFrame(line: string): string[] {
  const [, name, path, row, column] = FRAME.exec(line) ?? [];
  if (path === undefined) return [];
  const place = `${path.split("/").slice(-MAX_FILE_SEGMENTS).join("/")}:${row}:${column}`;
  return [name === undefined ? place : `${name} (${place})`];
}
