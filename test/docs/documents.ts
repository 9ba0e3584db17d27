import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

export const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const FOLDERS = "{.ci,.github,db,durable,locales,test,web,worker}";

export type TextFile = { path: string; text: string };

/** Every document of the repository. */
export function loadDocuments(): TextFile[] {
  return load(["*.md", `${FOLDERS}/**/*.md`]).filter(({ path }) => !path.includes("project.inlang"));
}

/** Every source file that people wrote, tests included. */
export function loadSources(): TextFile[] {
  const isGenerated = /^web\/(?:console\/)?messages\/|routeTree\.gen|^db\/migrations/;
  return load([`${FOLDERS}/**/*.{ts,tsx,css}`]).filter(({ path }) => !isGenerated.test(path));
}

function load(globs: string[]): TextFile[] {
  return globSync(globs, { cwd: ROOT })
    .toSorted()
    .map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8") }));
}
