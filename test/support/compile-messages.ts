import { globSync, statSync, utimesSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { compile } from "@inlang/paraglide-js";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The drivers' words, and the console's, which the drivers' page must not carry. */
const PROJECTS = [
  { locales: `${root}/locales`, outdir: `${root}/web/messages` },
  { locales: `${root}/locales/console`, outdir: `${root}/web/console/messages` },
];

/** Global setup of the page's suites: compiles the messages, so that no build is needed. */
export async function setup(): Promise<void> {
  for (const project of PROJECTS) await compileProject(project);
}

async function compileProject({ locales, outdir }: (typeof PROJECTS)[number]): Promise<void> {
  const changedAt = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const newest = (glob: string) => Math.max(0, ...globSync(glob).map(changedAt));
  if (newest(`${outdir}/**/*.js`) > newest(`${locales}/*.json`)) return;
  await compile({
    project: `${locales}/project.inlang`,
    outdir,
    // As in web/vite.config.ts.
    strategy: ["cookie", "preferredLanguage", "baseLocale"],
  });
  // Unchanged output is not written again, so that the next run sees that it is up to date.
  utimesSync(`${outdir}/messages.js`, new Date(), new Date());
}
