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

/** Plays a day of an attack on texts, in a process of its own: `test/world/text-attack.ts`. */
export function benchAbuse(): z.infer<typeof figures> {
  const script = fileURLToPath(new URL("../world/text-attack.ts", import.meta.url));
  return figures.parse(JSON.parse(execFileSync(process.execPath, [script], { encoding: "utf8" })));
}
