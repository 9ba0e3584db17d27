import { globSync, statSync, utimesSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "@inlang/paraglide-js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const outdir = `${root}/web/messages`;
const index = `${outdir}/messages.js`;

/** Run once before the page's suites: a build makes the messages too, and is not needed for them. */
export async function setup(): Promise<void> {
  const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = Math.max(...globSync(`${root}/locales/*.json`).map(changedAt));
  if (changedAt(index) > newest) return;
  await compile({
    project: `${root}/locales/project.inlang`,
    outdir,
    // As web/vite.config.ts has it.
    strategy: ["cookie", "preferredLanguage", "baseLocale"],
  });
  // What comes out as it was is not written again: the next run must see that it is up to date.
  utimesSync(index, new Date(), new Date());
}
