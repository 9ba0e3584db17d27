import type { DurationMs, EpochMs } from "../../../db/shapes/units.ts";
import type { Config } from "../../../durable/runtime/config.ts";
import type { ConsoleAccess } from "../console-client.ts";

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
