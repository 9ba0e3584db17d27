import type { DurationMs, EpochMs } from "../../../db/shapes/units.ts";
import type { Config } from "../../../durable/runtime/config.ts";
import type { ConsoleAccess } from "../console-client.ts";
import type * as z from "zod/mini";
import { readShape } from "../../../db/shapes/tolerant.ts";

/** One finding about a service, in words that never hold a setting's value. `unasked`: nothing is known, and why. */
export type Finding = { verdict: "right" | "wrong" | "unasked"; about: string; words: string };

/** A program's end, and what it printed. `code` is null where it was stopped at its limit or could not start. */
export type Ended = { code: number | null; output: string };

/** The means of the checks. */
export type Means = {
  config: Config;
  /** Where the console is and what lets the program in; null where nothing does. */
  access: ConsoleAccess | null;
  /** Whether the deployment is still to come, so that it can't be asked. */
  isBefore: boolean;
  /** The driver's account at the platform that its whole contract is checked with; null for what needs none. */
  platformEmail: string | null;
  send: (request: Request) => Promise<Response>;
  /** Runs a program of this folder with Node.js, for so long at most. */
  run: (program: readonly string[], limitMs: DurationMs) => Promise<Ended>;
  now: () => EpochMs;
  /** How long an answer may take. */
  limitMs: DurationMs;
};

/** Checks one service. */
export type Check = (means: Means) => Promise<Finding[]>;

/** Makes a check's findings about its service. */
export function findingsOf(about: string) {
  const say = (verdict: Finding["verdict"]) => (words: string) => ({ verdict, about, words });
  return { right: say("right"), wrong: say("wrong"), unasked: say("unasked") };
}

/** An answer, or why there is none. */
export type Asked =
  | { status: number; location: string | null; body: unknown }
  | { status: null; why: string };

/** Asks an outside service, and waits no longer than the limit. Never throws. */
export async function ask(
  { send, limitMs }: Pick<Means, "send" | "limitMs">,
  url: string,
  init: RequestInit = {},
): Promise<Asked> {
  try {
    const request = new Request(url, { redirect: "manual", ...init });
    const { response, text } = await within(limitMs, async (signal) => {
      const answer = await send(new Request(request, { signal }));
      return { response: answer, text: await answer.text() };
    });
    return {
      status: response.status,
      location: response.headers.get("location"),
      body: parseJson(text),
    };
  } catch (error) {
    const isLate = error instanceof LateError;
    return { status: null, why: isLate ? `gave no answer in ${limitMs / 1000} s` : "can't be reached" };
  }
}

/** A body as a shape reads it; null if it isn't of that shape. */
export function read<Shape extends z.ZodMiniType>(shape: Shape, body: unknown): z.output<Shape> | null {
  try {
    return readShape(shape, body);
  } catch {
    return null;
  }
}

/** The words for an answer that was not expected. */
export function describeResponse(asked: Asked): string {
  return asked.status === null ? asked.why : `answered with ${asked.status}`;
}

class LateError extends Error {
  override name = "LateError";
}

async function within<Value>(limitMs: number, work: (signal: AbortSignal) => Promise<Value>): Promise<Value> {
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      reject(new LateError());
      stop.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([work(stop.signal), late]);
  } finally {
    clearTimeout(timer);
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
