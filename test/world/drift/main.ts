import { randomInt } from "node:crypto";
import { URL } from "node:url";
import { parseArgs } from "node:util";
import { createChance } from "../chance.ts";
import { SimulatedD1 } from "../host/d1.ts";
import { takeOverGlobals } from "../host/globals.ts";
import { loadDriverClass } from "../life/load-driver.ts";
import { driftCells } from "../../support/drift-cells.ts";
import { liveThrough } from "./live-through.ts";

// `npm run drift`: every field of every answer of the platform, each otherwise in seven ways, through the whole object.
const { values } = parseArgs({
  options: {
    /** So many cells, which the seed chooses; all if left out. */
    sample: { type: "string" },
    seed: { type: "string" },
    /** Only cells whose name has this text. */
    only: { type: "string" },
  },
});

const root = new URL("../../..", import.meta.url);
const driverClass = await loadDriverClass(root);
const d1 = new SimulatedD1(new URL("db/migrations/", root));
takeOverGlobals();
const say = (line: string): void => void process.stdout.write(`${line}\n`);

const seed = Number(values.seed ?? randomInt(1_000_000));
const chance = createChance(seed, "drift");
const all = driftCells().filter(({ call, field, change }) =>
  `${call} ${field} ${change}`.includes(values.only ?? ""),
);
const share = values.sample === undefined ? 1 : Number(values.sample) / all.length;
const cells = share >= 1 ? all : all.filter(() => chance.is(share));
const figures = { untold: 0, looking: 0, unnamed: 0 };
for (const cell of cells) {
  for (const { figure, says } of await liveThrough(cell, { driverClass, d1 })) {
    figures[figure] += 1;
    say(`BROKEN ${figure}: ${cell.call} ${cell.field}, ${cell.change}: ${says}`);
  }
}
say(
  `${cells.length} of ${all.length} cells, seed ${seed}: held and untold ${figures.untold}, looking in vain ${figures.looking}, not named ${figures.unnamed}`,
);
if (figures.untold + figures.looking + figures.unnamed > 0) process.exitCode = 1;
