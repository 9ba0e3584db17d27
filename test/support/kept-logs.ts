import { afterEach } from "vitest";

// A setup file of the suites in workerd: keeps what is logged, and shows it where a test fails. Vitest sends each line
// to its main process and waits for the answer. A line that an object or a response logs at the end of a file gets
// none, and the run never ends (https://github.com/cloudflare/workers-sdk/issues/15719).

const LEVELS = ["debug", "log", "info", "warn", "error"] as const;

type KeptLogs = { lines: unknown[][]; show: (...line: unknown[]) => void };
type ConsoleOfManyFiles = Console & { keptLogs?: KeptLogs };

/** A worker runs many files, with one console. */
const files: ConsoleOfManyFiles = console;
const { lines, show } = (files.keptLogs ??= takeOver());

function takeOver(): KeptLogs {
  const logs: KeptLogs = { lines: [], show: console.error.bind(console) };
  for (const level of LEVELS) console[level] = (...line: unknown[]) => void logs.lines.push(line);
  return logs;
}

afterEach(({ task }) => {
  const logged = lines.splice(0);
  if (task.result?.state === "fail") for (const line of logged) show(...line);
});
