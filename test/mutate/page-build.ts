import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { root } from "../unit.config.ts";
import type { BuiltPage } from "./lane-protocol.ts";
import type { Mutant } from "./mutants.ts";

const COPY = `${root}/.cache/mutated`;
const COPIED = ["db", "durable", "locales", "test", "web", "worker", "package.json", "wrangler.toml"];
/** The settings of the compiler, which the bundler reads too. */
const SETTINGS = "tsconfig.json";

/** Routes are read as text, and the others run without a page: no story could turn their mutants on. */
const OUT_OF_REACH = ["web/routes/", "web/service-worker/", "web/prerender/"];

/** Whether stories can reach a file's mutants. */
export function isOfPage(file: string): boolean {
  return file.startsWith("web/") && !OUT_OF_REACH.some((folder) => file.startsWith(folder));
}

/**
 * Builds the product with mutants in its page, each behind a switch: in a copy, since the page, its console and its prepared
 * texts are built one by one from the files.
 */
export function buildMutatedPage(
  instrumented: ReadonlyMap<string, string>,
  mutants: readonly Mutant[],
): BuiltPage {
  rmSync(COPY, { recursive: true, force: true });
  mkdirSync(COPY, { recursive: true });
  for (const part of [...COPIED, SETTINGS]) cpSync(`${root}/${part}`, `${COPY}/${part}`, { recursive: true });
  symlinkSync(`${root}/node_modules`, `${COPY}/node_modules`);
  for (const [file, text] of instrumented) writeFileSync(`${COPY}/${file}`, text);
  const vite = ["web", "--config", "web/vite.config.ts", "--mode", "sandbox", "--outDir", "../.cache/dist"];
  const { status, stderr } = spawnSync(
    process.execPath,
    [`${root}/node_modules/vite/bin/vite.js`, "build", ...vite],
    // By it the messages are compiled as a browser gets them.
    { cwd: COPY, encoding: "utf8", env: { ...process.env, NODE_ENV: "production" } },
  );
  if (status !== 0) throw new Error(`the page with its mutants can't be built: ${stderr}`);
  return { folder: `${COPY}/.cache/dist`, mutants: mutants.map(({ id }) => id) };
}
