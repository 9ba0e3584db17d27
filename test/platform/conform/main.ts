import { createInterface } from "node:readline/promises";
import { parseArgs } from "node:util";
import { runConformance } from "./story.ts";

// `npm run conform -- --url https://… --email …`: does a server keep the platform's contract, and what becomes of it if not?
const { values } = parseArgs({
  options: {
    url: { type: "string" },
    email: { type: "string" },
    /** Else asked for. Also by CONFORM_PASSWORD, so that it stands in no history. */
    password: { type: "string" },
    code: { type: "string" },
    /** Takes an offer and gives it back: without it nothing is taken. */
    take: { type: "boolean", default: false },
    /** How long it waits for an approval and for an offer. */
    seconds: { type: "string", default: "60" },
  },
});
const say = (line: string): void => void process.stdout.write(`${line}\n`);
const { url, email = null } = values;
if (url === undefined) {
  say("npm run conform -- --url <address of the server> [--email <a driver's account there> [--take]]");
  process.exit(2);
}
const terminal = createInterface({ input: process.stdin, output: process.stdout });
const findings = await runConformance({
  baseUrl: url,
  email,
  password: email === null ? "" : await readPassword(),
  code: async () => values.code ?? terminal.question("The code that the platform sent: "),
  send: (request) => fetch(request),
  now: () => Date.now(),
  wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  patienceMs: Number(values.seconds) * 1000,
  mayTake: values.take,
});
terminal.close();
for (const { verdict, what } of findings) say(`${verdict.padEnd(8)}${what}`);
const count = (verdict: string) => findings.filter((found) => found.verdict === verdict).length;
say(
  `${count("kept")} kept, ${count("differs")} differ, ${count("harms")} harm a driver, ${count("skipped")} not tried`,
);
// A mere difference is read all the same.
process.exitCode = count("harms") > 0 ? 1 : 0;

async function readPassword(): Promise<string> {
  return values.password ?? process.env["CONFORM_PASSWORD"] ?? terminal.question("Password: ");
}
