import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { alertRequest } from "../../worker/cron/alert-request.ts";
import { loadSources, ROOT } from "./documents.ts";

const read = (path: string) => readFileSync(`${ROOT}${path}`, "utf8");
const [, table = ""] =
  /\| name in the message .*\n\|[- |]+\n((?:\|.*\n)+)/.exec(read("worker/operators/HANDBOOK.md")) ?? [];
const rows = table
  .trim()
  .split("\n")
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, names = "", what = "", step = ""]) => ({ names, what, step }));
/** The names of the table. One that stands for several, as `cron.…`, is its part that they share. */
const named = rows.flatMap(({ names }) =>
  [...names.matchAll(/`([a-z_.]+)[^`]*`/g)].map(([, name = ""]) => name.replace(/\.$/, "")),
);

/** The names under which the product raises alerts; the part before the dot where the rest is computed. */
const raised = loadSources()
  .filter(({ path }) => /^(?:durable|worker)\//.test(path))
  .flatMap(({ text }) => [
    ...text.matchAll(
      /(?:\bname: |\b(?:[A-Z_]*ALERT|ALERT_PREFIX|OUTAGE|UNSERVED|UNREADABLE) = )["`]([a-z_]+\.[a-z_]*)/g,
    ),
  ])
  .map(([, name = ""]) => name.replace(/\.$/, ""));

it("has a row for each alert of the product, with what it is and what shows it", () => {
  expect(raised.length).toBeGreaterThan(20);
  const missing = raised.filter((name) => !named.some((row) => name === row || name.startsWith(`${row}.`)));
  expect(missing).toEqual([]);
  expect(rows.filter(({ what, step }) => what === "" || step === "")).toEqual([]);
});

it("says of each alert of the table in words what it is, and where to look", async () => {
  const target = { url: "https://alerts.test", form: "email", key: null } as const;
  const sender = {
    productName: "Jornada",
    publicUrl: "https://drivers.test",
    consoleUrl: "https://ops.test",
  };
  const mute = [];
  for (const name of new Set([...named, ...raised])) {
    const message = { id: name, event: "begins", name, reason: "r", since: 0, endedAt: null } as const;
    const request = await alertRequest(target, message, { sender, now: 0 });
    const { subject, text }: { subject: string; text: string } = JSON.parse(await request.text());
    if (subject === `Jornada: ${name}` || !/ See https:/.test(text)) mute.push(name);
  }
  expect(mute).toEqual([]);
});

it("names lists and screens as the console does", () => {
  const words: Record<string, string> = JSON.parse(read("locales/console/en.json"));
  const shown = rows.flatMap(({ step }) => [...step.matchAll(/_([^_]+)_/g)].map(([, name = ""]) => name));
  expect(shown.length).toBeGreaterThan(5);
  expect(shown.filter((name) => !Object.values(words).includes(name))).toEqual([]);
});
