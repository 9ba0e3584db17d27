import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { fileURLToPath } from "node:url";
import * as z from "zod/mini";
import { benchAbuse, benchGuessing } from "./abuse.ts";
import { benchApi } from "./api.ts";
import { benchCapture } from "./capture.ts";
import { benchDay, dayFigures } from "./day.ts";
import { benchFleet } from "./fleet.ts";
import { benchKill } from "./kill.ts";
import { benchLoad, SETUP_MS } from "./load.ts";
import { benchPages, targetOf } from "./pages.ts";
import { benchReplay } from "./replay.ts";
import { benchScale } from "./measured-scale.ts";
import { benchSignIn } from "./sign-in.ts";
import { benchExact, benchGreedy } from "./selection.ts";
import { benchTyping } from "./typing.ts";
import { benchFullVerdicts, benchVerdicts } from "./verdicts.ts";

const RESULTS = new URL("results.json", import.meta.url);

// Prints what is measured. `npm run bench -- capture fleet` measures these parts alone; the others keep their last results.
const PARTS: Record<string, () => unknown> = {
  signIn: async () => {
    const signIn = await benchSignIn();
    console.log(
      `sign-in by SRP, first step   ${signIn.stepMs.toFixed(1)} ms, ${signIn.ratio.toFixed(2)} of one bare 256-bit power (${signIn.powerMs.toFixed(1)} ms)`,
    );
    return signIn;
  },
  verdicts: () => {
    const verdicts = benchVerdicts();
    console.log(
      `verdicts a second            ${Math.round(verdicts.perSecond).toLocaleString("en")}   (budget 5,000,000)`,
    );
    const full = benchFullVerdicts();
    console.log(
      `the same, 5 rules and limits ${Math.round(full.perSecond).toLocaleString("en")}, ${(full.perSecond / verdicts.perSecond).toFixed(2)} of those   (budget 2,000,000)`,
    );
    return { ...verdicts, full };
  },
  selection: () => {
    const greedy = benchGreedy();
    const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
    console.log(
      `greedy within limits         ${percent(greedy.meanShare)} of the best pay, ${percent(greedy.worstShare)} at worst; the best in ${percent(greedy.exactShare)} of ${greedy.cases} polls`,
    );
    const exact = benchExact();
    console.log(
      `best set of 16 offers        ${exact.medianMs.toFixed(2)} ms, ${exact.p99Ms.toFixed(2)} ms in the slowest hundredth, ${exact.longestMs.toFixed(2)} ms at most   (budget 5 ms)`,
    );
    return { ...greedy, exact };
  },
  replay: () => {
    const replays = benchReplay();
    for (const { offers, parseMs, replayMs, bytesAnOffer } of replays)
      console.log(
        `replay of ${offers.toLocaleString("en")} offers       ${(parseMs + replayMs).toFixed(0)} ms, of which ${replayMs.toFixed(0)} decide; ${bytesAnOffer.toFixed(0)} bytes an offer   (budget 100 ms for 10,000)`,
      );
    return replays;
  },
  // Polls of a driver who edits filters, beside the same while nobody does.
  typing: async () => {
    const typing = await benchTyping();
    const ms = (length: number) => `${length.toFixed(0)} ms`;
    console.log(
      `polls while a driver types   p99 lateness ${ms(typing.typingP99Ms)} of ${typing.polls} polls, ${ms(typing.othersP99Ms)} of others, ${ms(typing.quietP99Ms)} while nobody types; a replay of ${typing.offers.toLocaleString("en")} answered in ${ms(typing.answeredMs)}   (budget: none late)`,
    );
    return typing;
  },
  captures: async () => {
    const captures = [];
    for (const conditions of [
      { intervalMs: 250, acceptMs: 0 },
      { intervalMs: 1000, acceptMs: 0 },
      { intervalMs: 250, acceptMs: 1000 },
      { intervalMs: 1000, acceptMs: 1000 },
    ]) {
      const figures = await benchCapture(conditions);
      captures.push(figures);
      const { intervalMs, acceptMs } = conditions;
      const name = `publication to accept, ${intervalMs} ms${acceptMs > 0 ? `, accepts of ${acceptMs} ms` : ""}`;
      console.log(
        `${name}  ${figures.ratio.toFixed(2)} of T/2 + round trip (${figures.boundMs.toFixed(0)} ms): mean ${figures.meanMs.toFixed(0)} ms, p95 ${figures.p95Ms.toFixed(0)} ms, ${figures.samples} samples   (budget 1.05)`,
      );
      if (acceptMs === 0)
        console.log(
          `accept to dashboard, p99      ${(figures.toldP99Ms - figures.lineRoundTripMs).toFixed(0)} ms over a ping of ${figures.lineRoundTripMs.toFixed(1)} ms   (budget 25 ms)`,
        );
    }
    return captures;
  },
  fleet: async () => {
    const fleet = await benchFleet();
    console.log(
      `drivers at 1 s               ${fleet.drivers} with p99 lateness ${fleet.p99LatenessMs.toFixed(0)} ms, ${fleet.driversPerCore?.toFixed(0) ?? "?"} per core (${fleet.cores?.toFixed(2) ?? "?"} cores used)   (budget 500 per core, 100 ms)`,
    );
    return fleet;
  },
  // Drivers' objects that wake by alarms of their own, and by a ticker's calls, in one run.
  tickers: async () => {
    const measured = [];
    for (const tickers of [0, 1]) {
      const load = await benchLoad({ drivers: 150, mode: "masacre", tickers, processes: 1 });
      const capture = await benchCapture({ intervalMs: 1000, acceptMs: 0, tickers });
      const kill = await benchKill({ kills: 12, tickers });
      measured.push({ tickers, load, capture, kill });
      console.log(
        `${tickers === 0 ? "by alarms " : "by a ticker"}                  p99 lateness ${load.p99LatenessMs.toFixed(0)} ms of ${load.polls} polls, publication to accept ${capture.ratio.toFixed(2)} of T/2 + round trip, ${kill.meanLostMs.toFixed(0)} ms lost after kill -9   (budget 100 ms, 1.05, 1500 ms)`,
      );
    }
    return measured;
  },
  load: async () => {
    const wantedDrivers = Number(process.env["BENCH_LOAD"] ?? 2_000);
    const count = (drivers: number) => drivers.toLocaleString("en");
    const loads = [];
    // A process has one thread for its objects, and this machine has cores for two.
    for (const processes of [1, 2]) {
      const drivers = processes === 1 ? Math.ceil(wantedDrivers / 2) : wantedDrivers;
      const load = await benchLoad({ drivers, mode: "lucrative", tickers: 2, processes });
      loads.push(load);
      console.log(
        `${count(load.drivers)} of ${count(drivers)} drivers at 3 s in ${processes} process${processes > 1 ? "es" : ""} ${(100 * load.share).toFixed(1)} % of their polls made, p99 lateness ${load.p99LatenessMs.toFixed(0)} ms, ${load.cores?.toFixed(2) ?? "?"} cores used, made in ${(load.setupMs / 1000).toFixed(0)} s${load.drivers < drivers ? ` (the limit: ${SETUP_MS / 1000} s)` : ""}`,
      );
    }
    return loads;
  },
  day: async () => {
    const day = await benchDay();
    console.log(
      `rows per idle poll           ${day.rowsPerIdlePoll.toFixed(3)} beside the alarm, after ${day.rowsToBegin} in the first half day   (budget 0)`,
    );
    console.log(
      `object per driver and month  ${(day.bytesPerDriverMonth / 1e6).toFixed(1)} MB, with 240 offers a day`,
    );
    console.log(
      `cost per driver-month        $${day.dollarsPerDriverMonth.toFixed(2)} for 8 h a day, ${day.polls} polls, $${day.byAlarms.dollarsPerDriverMonth.toFixed(2)} without a ticker   (budget $0.55, goal $0.35)`,
    );
    return day;
  },
  // From the day's counts, which are those of the last results where the day is not measured anew.
  scale: () => {
    const scale = benchScale(dayFigures.parse(readResults()["day"]));
    console.log(scale.table);
    console.log(
      `a day's sum into the database ${scale.msPerStatement.toFixed(3)} ms a statement here   (the model: ${scale.modelMsPerStatement} ms)`,
    );
    return scale;
  },
  api: async () => {
    const api = await benchApi();
    console.log(
      `GET /flex/v1/user            ${api.ratio.toFixed(2)} of a bare route with one read of D1   (budget 0.75)`,
    );
    return api;
  },
  pages: async () => {
    const pages = await benchPages();
    for (const [path, scores] of Object.entries(pages.lighthouse)) {
      const target = targetOf(path);
      console.log(
        `Lighthouse, mobile ${path.padEnd(10)} ${scores.performance}/${scores.accessibility}/${scores["best-practices"]}/${scores.seo}, largest paint ${scores.largestPaintMs} ms (${scores.largestPaintsMs.at(0)} to ${scores.largestPaintsMs.at(-1)}), ${(scores.bytes / 1000).toFixed(0)} kB   (budget ${target.score} each, ${target.largestPaintMs} ms)${scores.failed.length > 0 ? `   short of: ${scores.failed.join(", ")}` : ""}`,
      );
    }
    const { cardMs, requests, scriptBytes, wholeScriptBytes } = pages.dashboard;
    console.log(
      `dashboard, slow 4G, CPU / 4  card after ${cardMs} ms, ${requests} requests, ${(scriptBytes / 1000).toFixed(1)} kB gzip of JavaScript, ${(wholeScriptBytes / 1000).toFixed(1)} kB for the whole screen   (budget 2200 ms, 15, 165)`,
    );
    return pages;
  },
  abuse: () => {
    const abuse = benchAbuse();
    const dollars = (amount: number) => `$${amount.toLocaleString("en", { maximumFractionDigits: 2 })}`;
    console.log(
      `a day of 10,000 addresses    ${abuse.texts.toLocaleString("en")} of ${abuse.tries.toLocaleString("en")} texts sent: ${dollars(abuse.dollars)}   (${dollars(abuse.uncountedDollars)} without counting)`,
    );
    console.log(
      `  of one home, to one number ${abuse.homeTexts} and ${abuse.strangerTexts} texts; silenced: ${abuse.silencedCodes} codes of proved numbers, ${abuse.silencedCaptures} captures`,
    );
    return abuse;
  },
  guessing: () => {
    const guessing = benchGuessing();
    console.log(
      `guessing at one account      ${guessing.guessesADay} in the first day, ${guessing.guessesAYear} in a year: a code is hit once in ${Math.round(1 / guessing.codeChance).toLocaleString("en")} years`,
    );
    console.log(
      `  relayed by one driver      ${guessing.relayedADay} passwords in the first day, ${guessing.relayedAYear} in a year`,
    );
    return guessing;
  },
};

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`no part is called ${unknown.join(" or ")}: ${Object.keys(PARTS).join(", ")}`);

/** A part that takes longer hangs. The longest takes half of it on a busy machine. */
const PART_LIMIT_MS = 15 * 60_000;

// A connection that breaks in the background fails nothing that is measured meanwhile.
process.on("unhandledRejection", (error) => console.error("in the background:", error));
const [only] = wanted;
process.exit(only !== undefined && wanted.length === 1 ? await measure(only) : await measureEach());

/** @returns the exit code */
async function measure(name: string): Promise<number> {
  try {
    saveResult(name, await PARTS[name]?.());
    return 0;
  } catch (error) {
    console.error(`${name} failed:`, error);
    saveResult(name, undefined);
    return 1;
  }
}

/** Each part in a process of its own: it starts with an empty heap, and one that hangs ends with all that it started. */
async function measureEach(): Promise<number> {
  const minutes: string[] = [];
  const failed: string[] = [];
  for (const name of Object.keys(PARTS)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    const begunAt = performance.now();
    const code = await runPart(name);
    if (code !== 0) failed.push(name);
    if (code === null) saveResult(name, undefined);
    minutes.push(`${name} ${((performance.now() - begunAt) / 60_000).toFixed(1)}`);
  }
  console.log(`minutes                      ${minutes.join(", ")}`);
  if (failed.length > 0) console.log(`failed                       ${failed.join(", ")}`);
  return failed.length > 0 ? 1 : 0;
}

/** @returns the exit code; null for a part that was killed, or died */
async function runPart(name: string): Promise<number | null> {
  const child = spawn(process.execPath, [fileURLToPath(import.meta.url), name], {
    stdio: "inherit",
    detached: true,
  });
  const killAll = () => {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
  };
  const timer = setTimeout(killAll, PART_LIMIT_MS);
  process.once("SIGINT", killAll);
  const [code] = (await once(child, "exit")) as [number | null];
  clearTimeout(timer);
  process.off("SIGINT", killAll);
  return code;
}

/** A part without a result keeps its last one, and is named beside them as failed. */
function saveResult(name: string, result: unknown): void {
  const results = readResults();
  const failed = new Set(z.parse(z.array(z.string()), results["failed"] ?? []));
  failed.delete(name);
  if (result === undefined) failed.add(name);
  else results[name] = result;
  results["failed"] = [...failed];
  results["at"] = new Date().toISOString();
  results["machine"] = { node: process.version, cores: cpus().length, model: cpus()[0]?.model ?? "" };
  writeFileSync(RESULTS, JSON.stringify(results));
  // As the check wants every file.
  const oxfmt = fileURLToPath(new URL("../../node_modules/.bin/oxfmt", import.meta.url));
  execFileSync(oxfmt, [fileURLToPath(RESULTS)]);
}

function readResults(): Record<string, unknown> {
  return z.parse(z.record(z.string(), z.unknown()), JSON.parse(readFileSync(RESULTS, "utf8")));
}
