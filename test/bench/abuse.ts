import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import * as z from "zod";

const figures = z.object({
  tries: z.number(),
  texts: z.number(),
  dollars: z.number(),
  uncountedDollars: z.number(),
  homeTexts: z.number(),
  strangerTexts: z.number(),
  silencedCodes: z.number(),
  silencedCaptures: z.number(),
});

const guessing = z.object({
  guessesADay: z.number(),
  guessesAYear: z.number(),
  codeChance: z.number(),
  relayedADay: z.number(),
  relayedAYear: z.number(),
});

/** Guesses for a year, in a process of its own: `test/world/texts/guessing-attack.ts`. */
export function benchGuessing(): z.infer<typeof guessing> {
  return guessing.parse(play("guessing-attack"));
}

/** Plays a day of an attack on texts, in a process of its own: `test/world/texts/text-attack.ts`. */
export function benchAbuse(): z.infer<typeof figures> {
  return figures.parse(play("text-attack"));
}

function play(attack: string): unknown {
  const script = fileURLToPath(new URL(`../world/texts/${attack}.ts`, import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" }));
}
