import { globSync, statSync, utimesSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "@inlang/paraglide-js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const outdir = `${root}/web/messages`;
const index = `${outdir}/messages.js`;

/** Global setup of the page's suites: compiles the messages, so that no build is needed. */
export async function setup(): Promise<void> {
  const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = Math.max(...globSync(`${root}/locales/*.json`).map(changedAt));
  if (changedAt(index) > newest) return;
  await compile({
    project: `${root}/locales/project.inlang`,
    outdir,
    // As in web/vite.config.ts.
    strategy: ["cookie", "preferredLanguage", "baseLocale"],
  });
  // Unchanged output is not written again, so that the next run sees that it is up to date.
  utimesSync(index, new Date(), new Date());
}
