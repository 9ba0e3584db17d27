import * as z from "zod";

const MAX_FRAMES = 12;
const MAX_CAUSES = 4;
const MAX_FILE_SEGMENTS = 4;
const IDENTIFIER = /^[A-Za-z_$][\w$.]{0,63}$/;
/**
 * A stack frame as V8 formats it: `    at async Object.name [as alias] (file:line:column)`. Other lines of a stack are
 * ignored.
 */
const FRAME =
  /^ {4}at (?:async )?(?:(?:new )?([A-Za-z_$<#][\w$.<>#]{0,79})(?: \[as [\w$.<>#]{1,80}\])? \()?(?:[a-z+]+:\/\/)?([\w.@+~$/-]{1,400})(?:\?[^\s():]*)?:(\d{1,7}):(\d{1,7})\)?$/;

const thrownFacts = z.object({ error: z.string(), frames: z.array(z.string()) });
const errorDescription = thrownFacts.extend({ causes: z.array(thrownFacts) });

type ThrownFacts = z.infer<typeof thrownFacts>;

/** A thrown error as fields of a log line: class and stack frames, and those of its causes. */
export type ErrorDescription = z.infer<typeof errorDescription>;

/**
 * Replaces an error that is thrown across the RPC boundary of a Durable Object. The runtime would log the original's
 * message and lose its stack; this one has no message to hide and carries the stack frames along.
 */
export class RemoteError extends Error {
  override name = "RemoteError";
  /** Read by `describeError` in the caller, where the error is no longer an instance of this class. */
  readonly origin: ErrorDescription;

  constructor(thrown: unknown) {
    super("described by its origin");
    this.origin = describeError(thrown);
  }
}

/**
 * Describes an unexpected error. Messages are left out: they may quote query parameters, other services' responses
 * and other data that must not be logged.
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

/** The description that a Durable Object attached to the error of a call. */
function originOf(thrown: unknown): ThrownFacts[] {
  if (!(thrown instanceof Error) || !("origin" in thrown)) return [];
  const { data } = errorDescription.safeParse(thrown.origin);
  return data ? [{ error: data.error, frames: data.frames }, ...data.causes] : [];
}

/** A thrown error in a line: the classes from the outer one to the last cause, and the innermost place that is known. */
export function nameCauses(thrown: unknown): string {
  const described = describeError(thrown);
  const chain = [described, ...described.causes];
  // The error that crossed from one object to another says nothing by itself.
  const own = chain.filter(({ error }) => error !== RemoteError.name);
  const names = (own.length > 0 ? own : chain).map(({ error }) => error);
  const place = chain.findLast(({ frames }) => frames.length > 0)?.frames[0];
  return `${names.join(" < ")}${place === undefined ? "" : ` at ${place}`}`;
}

/** The class of a thrown error, which is all that is logged of an expected one. */
export function errorName(thrown: unknown): string {
  if (!(thrown instanceof Error)) return typeof thrown;
  // A class that doesn't set `name` inherits "Error".
  const name = thrown.name === "Error" ? thrown.constructor.name : thrown.name;
  return IDENTIFIER.test(name) ? name : "Error";
}

function factsOf(thrown: unknown): ThrownFacts {
  return { error: errorName(thrown), frames: thrown instanceof Error ? framesOf(thrown) : [] };
}

function causeOf(thrown: unknown): unknown {
  return thrown instanceof Error ? (thrown.cause ?? undefined) : undefined;
}

/**
 * Frames as `name (file:line:column)`, innermost first. The message is cut off first, since it may contain lines that
 * look like frames.
 */
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

/** Wraps every method of a class, so that it throws a `RemoteError` in place of any other error. */
export function describeErrorsOf(prototype: object): void {
  for (const name of Object.getOwnPropertyNames(prototype)) {
    const method: unknown = Object.getOwnPropertyDescriptor(prototype, name)?.value;
    if (name === "constructor" || typeof method !== "function") continue;
    Object.defineProperty(prototype, name, {
      configurable: true,
      writable: true,
      value(this: unknown, ...args: unknown[]): unknown {
        try {
          const result: unknown = Reflect.apply(method, this, args);
          return result instanceof Promise ? result.catch(rethrow) : result;
        } catch (error) {
          return rethrow(error);
        }
      },
    });
  }
}

function rethrow(error: unknown): never {
  throw error instanceof RemoteError ? error : new RemoteError(error);
}
