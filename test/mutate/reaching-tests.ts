import { createHash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import * as z from "zod";
import { root } from "../unit.config.ts";
import { PAGE_SUITE, type TestFile } from "./lane-protocol.ts";
import { isOfPage } from "./page-build.ts";

/** Tests in workerd call the Worker, which loads everything. */
const WORKER_SUITE = "worker";
const WORKER_ENTRY = "worker/index.ts";
const RECORD = ".cache/mutation-reach.json";

// Imports of types are gone at run time.
const IMPORT =
  /\b(?:import|export)\s+(?!type\b)[^;"]*?\bfrom\s+"(?<from>\.[^"]+)"|\bimport\s*\(?\s*"(?<bare>\.[^"]+)"/g;

/** All files that a file loads, itself included; paths from the root. `readText` is null for a file that doesn't exist. */
export function loadedBy(entry: string, readText: (path: string) => string | null): Set<string> {
  const loaded = new Set([entry]);
  for (const path of loaded) {
    for (const { groups } of (readText(path) ?? "").matchAll(IMPORT)) {
      const name = groups?.["from"] ?? groups?.["bare"] ?? "";
      loaded.add(join(dirname(path), name.split("?")[0] ?? ""));
    }
  }
  return loaded;
}

/**
 * Which files of tests may reach a source file: those that import it, as far as imports tell, and of those in workerd the
 * ones that did when they last ran, as long as neither file has changed.
 */
export class ReachingTests {
  readonly #texts = new Map<string, string | null>();
  readonly #loaded = new Map<string, Set<string>>();
  readonly #record: Record<string, boolean> = readRecord();

  /** Whether a file of tests imports a source, itself or by what it imports. */
  loads(file: TestFile, source: string): boolean {
    return this.#loadedBy(file).has(source);
  }

  mayReach(file: TestFile, sources: Iterable<string>): boolean {
    const loaded = this.#loadedBy(file);
    return [...sources].some(
      (source) => loaded.has(source) && this.#record[this.#keyOf(file, source)] !== false,
    );
  }

  /** Writes down which of the instrumented sources a file of tests reached. */
  record(
    file: TestFile,
    { reached, instrumented }: { reached: Set<string>; instrumented: Iterable<string> },
  ) {
    for (const source of instrumented) this.#record[this.#keyOf(file, source)] = reached.has(source);
    mkdirSync(`${root}/.cache`, { recursive: true });
    writeFileSync(`${root}/${RECORD}`, JSON.stringify(this.#record));
  }

  #loadedBy({ project, moduleId }: TestFile): Set<string> {
    const path = relative(root, moduleId);
    const known = this.#loaded.get(path);
    if (known) return known;
    const own = loadedBy(path, this.#read);
    // A story may come to any screen.
    if (project === PAGE_SUITE) for (const one of this.#pageFiles()) own.add(one);
    if (project === WORKER_SUITE) for (const one of this.#workerFiles()) own.add(one);
    this.#loaded.set(path, own);
    return own;
  }

  #pageFiles(): Set<string> {
    return new Set(globSync("web/**/*.{ts,tsx}", { cwd: root }).filter(isOfPage));
  }

  #workerFiles(): Set<string> {
    const known = this.#loaded.get(WORKER_ENTRY) ?? loadedBy(WORKER_ENTRY, this.#read);
    this.#loaded.set(WORKER_ENTRY, known);
    return known;
  }

  readonly #read = (path: string): string | null => {
    const known = this.#texts.get(path);
    if (known !== undefined) return known;
    const text = existsSync(`${root}/${path}`) ? readFileSync(`${root}/${path}`, "utf8") : null;
    this.#texts.set(path, text);
    return text;
  };

  #keyOf({ project, moduleId }: TestFile, source: string): string {
    const test = relative(root, moduleId);
    const hash = createHash("sha1");
    for (const part of [project, test, this.#read(test), source, this.#read(source)])
      hash.update(`${part}\0`);
    return hash.digest("base64url").slice(0, 16);
  }
}

function readRecord(): Record<string, boolean> {
  if (!existsSync(`${root}/${RECORD}`)) return {};
  return z.record(z.string(), z.boolean()).parse(JSON.parse(readFileSync(`${root}/${RECORD}`, "utf8")));
}
