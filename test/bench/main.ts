import { writeFileSync } from "node:fs";
import { cpus } from "node:os";
import { benchAbuse } from "./abuse.ts";
import { benchApi } from "./api.ts";
import { benchCapture } from "./capture.ts";
import { benchPage } from "./page.ts";
import { benchSignIn } from "./sign-in.ts";
import { benchVerdicts } from "./verdicts.ts";

// Runs before the verdicts: the heap that those leave behind slows down big integers.
const signIn = await benchSignIn();
console.log(
  `sign-in by SRP, first step   ${signIn.stepMs.toFixed(1)} ms, ${signIn.ratio.toFixed(2)} of one bare 256-bit power (${signIn.powerMs.toFixed(1)} ms)`,
);

const verdicts = benchVerdicts();
console.log(
  `verdicts a second            ${Math.round(verdicts.perSecond).toLocaleString("en")}   (budget 1,000,000)`,
);

const captures = [];
for (const intervalMs of [250, 1000]) {
  const figures = await benchCapture(intervalMs);
  captures.push(figures);
  console.log(
    `publication to accept, ${String(intervalMs).padStart(4)} ms  mean ${figures.meanMs.toFixed(0)} ms, p95 ${figures.p95Ms.toFixed(0)} ms, ${figures.ratio.toFixed(2)} of the bound ${figures.boundMs.toFixed(0)} ms (${figures.samples} samples)`,
  );
  console.log(
    `accept to dashboard, p99      ${figures.toldP99Ms.toFixed(0)} ms, a ping of the line takes ${figures.lineRoundTripMs.toFixed(1)} ms   (budget 25 ms over it)`,
  );
}

const api = await benchApi();
console.log(
  `GET /flex/v1/user            ${api.ratio.toFixed(2)} of a bare route with one read of D1   (budget 0.5)`,
);

const page = benchPage();
console.log(
  `signed-in shell              ${(page.shellBytes / 1000).toFixed(1)} kB gzip of JavaScript   (budget 150)`,
);
for (const [screen, bytes] of Object.entries(page.routes)) {
  console.log(`  ${screen.padEnd(26)} ${(bytes / 1000).toFixed(1)} kB more`);
}

const abuse = benchAbuse();
const dollars = (amount: number) => `$${amount.toLocaleString("en", { maximumFractionDigits: 2 })}`;
console.log(
  `a day of 10,000 addresses    ${abuse.texts.toLocaleString("en")} of ${abuse.tries.toLocaleString("en")} texts sent: ${dollars(abuse.dollars)}   (${dollars(abuse.uncountedDollars)} without counting)`,
);
console.log(
  `  of one home, to one number ${abuse.homeTexts} and ${abuse.strangerTexts} texts; silenced: ${abuse.silencedCodes} codes of proved numbers, ${abuse.silencedCaptures} captures`,
);

const machine = { node: process.version, cores: cpus().length, model: cpus()[0]?.model ?? "" };
const file = new URL("results.json", import.meta.url);
writeFileSync(
  file,
  `${JSON.stringify({ at: new Date().toISOString(), machine, verdicts, signIn, captures, api, page, abuse }, null, 2)}\n`,
);
process.exit(0);
