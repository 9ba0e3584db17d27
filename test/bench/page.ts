import { readdirSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { BUILD_DIR } from "../support/built-app.ts";

const ASSETS = `${BUILD_DIR}/client/assets`;
/** Static imports of a chunk: `import"./x.js"`, `from"./x.js"`. */
const STATIC_IMPORT = /(?:\bimport|\bfrom)\s*["']\.\/([\w.~-]+\.js)["']/g;
const ENTRY = /<script[^>]+type="module"[^>]+src="\/assets\/([^"]+)"/;

/** JavaScript sizes in bytes, gzipped. */
export type PageFigures = {
  /** The entry and the layout of the signed-in screens. */
  shellBytes: number;
  /** What each screen adds to that. */
  routes: Record<string, number>;
};

const SCREENS = [
  "dashboard",
  "blocks",
  "filters",
  "payments",
  "profile",
  "login",
  "register",
  "forgot-password",
];

/** Measures what a browser must load before it can show a screen of the built page. */
export function benchPage(): PageFigures {
  const html = readFileSync(`${BUILD_DIR}/client/index.html`, "utf8");
  const entry = ENTRY.exec(html)?.[1];
  if (!entry) throw new Error("index.html has no module script");
  const loaded = withImports([entry]);
  const shell = withImports([entry, chunkOf("route", entry)]);
  const routes = Object.fromEntries(
    SCREENS.flatMap((screen) => {
      const chunk = findChunk(screen, entry);
      if (!chunk) return [];
      const isAccount = ["login", "register", "forgot-password"].includes(screen);
      const there = isAccount ? loaded : shell;
      return [[screen, sizeOf([...withImports([chunk])].filter((file) => !there.has(file)))]];
    }),
  );
  return { shellBytes: sizeOf([...shell]), routes };
}

/** A route's chunk, found by the name in the entry's lazy import. */
function findChunk(name: string, entry: string): string | undefined {
  const text = readFileSync(`${ASSETS}/${entry}`, "utf8");
  return readdirSync(ASSETS).find(
    (file) => new RegExp(`^${name}-[\\w-]{8}\\.js$`).test(file) && text.includes(`import(\`./${file}\`)`),
  );
}

function chunkOf(name: string, entry: string): string {
  const found = findChunk(name, entry);
  if (!found) throw new Error(`no chunk for ${name}`);
  return found;
}

function withImports(files: readonly string[], seen = new Set<string>()): Set<string> {
  for (const file of files) {
    if (seen.has(file)) continue;
    seen.add(file);
    const text = readFileSync(`${ASSETS}/${file}`, "utf8");
    withImports(
      [...text.matchAll(STATIC_IMPORT)].flatMap((match) => match[1] ?? []),
      seen,
    );
  }
  return seen;
}

function sizeOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + gzipSync(readFileSync(`${ASSETS}/${file}`)).length, 0);
}
