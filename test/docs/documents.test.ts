import { existsSync, globSync, readFileSync } from "node:fs";
import { posix } from "node:path";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { CONSOLE_CHECKS } from "../../worker/operators/console-checks.ts";
import { CONSOLE_COMMANDS } from "../../worker/operators/console-commands.ts";
import { loadDocuments, loadSources, ROOT, type TextFile } from "./documents.ts";

const documents = loadDocuments();
/** The changelog also names files, commands and settings of former releases. */
const guides = documents.filter(({ path }) => path !== ".github/CHANGELOG.md");
const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(`${ROOT}package.json`, "utf8")));

/** The matches of a pattern's group in the guides, each with the guide that has it. */
function find(pattern: RegExp, files: readonly TextFile[] = guides) {
  return files.flatMap(({ path, text }) =>
    [...text.matchAll(pattern)].map(([, found = "", rest = ""]) => ({ path, found, rest })),
  );
}
const list = (found: { path: string; found: string }[]) => found.map((one) => `${one.path}: ${one.found}`);

/** GitHub's anchors of a document's headings. */
function anchorsOf(path: string): string[] {
  const headings = [...readFileSync(`${ROOT}${path}`, "utf8").matchAll(/^#+ (.+)$/gm)];
  return headings.map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("a document", () => {
  it("links to files and headings that exist", () => {
    const links = [
      ...find(/\]\(([^)\s]+)\)/g, documents),
      ...find(/\b(?:src|srcset)="([^"]+)"/g, documents),
    ].filter(({ found }) => !/^[a-z]+:/.test(found));
    expect(links.length).toBeGreaterThan(40);
    const broken = links.filter(({ path, found }) => {
      const [file = "", anchor] = found.split("#");
      const target = file === "" ? path : posix.join(posix.dirname(path), file);
      return !existsSync(`${ROOT}${target}`) || (anchor !== undefined && !anchorsOf(target).includes(anchor));
    });
    expect(list(broken)).toEqual([]);
  });

  it("names files and folders that exist", () => {
    const named = [
      ...find(/`((?:\.ci|\.github|db|durable|locales|test|web|worker)\/[\w./-]*)`/g),
      ...find(/ ((?:test|durable|worker|web|db)\/[\w./-]+\.(?:test\.)?tsx?)\b/g),
    ];
    expect(named.length).toBeGreaterThan(100);
    const operatorsOwn = "web/public/.well-known/apple-developer-merchantid-domain-association";
    const missing = named.filter(({ found }) => found !== operatorsOwn && !existsSync(`${ROOT}${found}`));
    expect(list(missing)).toEqual([]);
  });

  it("stays short where it is the first one read", () => {
    expect(Buffer.byteLength(guides.find(({ path }) => path === "README.md")?.text ?? "")).toBeLessThan(
      10_000,
    );
  });
});

describe("a command in a document", () => {
  it("is a script of the project", () => {
    const named = find(/npm run ([a-z:]+)/g);
    expect(named.length).toBeGreaterThan(30);
    expect(list(named.filter(({ found }) => !(found in scripts)))).toEqual([]);
  });

  it("of operators is one that they have", () => {
    const named = find(/npm run ops -- ([a-z-]+)/g);
    expect(named.length).toBeGreaterThan(5);
    const commands = { ...CONSOLE_COMMANDS, ...CONSOLE_CHECKS, doctor: null };
    expect(list(named.filter(({ found }) => !(found in commands)))).toEqual([]);
  });

  it("of the handbook that is an act says why, as the program wants it", () => {
    const acts = find(/npm run ops -- ([a-z-]+)([^`\n]*)/g).filter(
      ({ path, found }) => path.endsWith("HANDBOOK.md") && found in CONSOLE_COMMANDS && found !== "driver",
    );
    expect(acts.length).toBeGreaterThan(10);
    expect(list(acts.filter(({ rest }) => !rest.includes("--reason")))).toEqual([]);
  });

  it("has only options that its program reads", () => {
    const calls = find(/npm run ([a-z:]+) -- ([^\n`#]*)/g).flatMap(({ path, found, rest }) => {
      const program = /node (\S+)\.ts$/.exec(scripts[found] ?? "")?.[1];
      if (program === undefined) return [];
      const folder = program.endsWith("/main") ? `${posix.dirname(program)}/**/*` : program;
      const options = [...rest.matchAll(/--([a-z-]+)/g)].map(([, option = ""]) => option);
      return options.map((option) => ({ path, found: `${found} --${option}`, folder, option }));
    });
    expect(calls.length).toBeGreaterThan(15);
    const unread = calls.filter(({ folder, option }) => {
      const sources = globSync(`${folder}.ts`, { cwd: ROOT }).map((file) =>
        readFileSync(`${ROOT}${file}`, "utf8"),
      );
      return !sources.some((text) => new RegExp(`["']?\\b${option}["']?: \\{|"--${option}"`).test(text));
    });
    expect(list(unread)).toEqual([]);
  });
});

describe("a name in capitals in a document", () => {
  it("is a setting, a variable or a constant that the sources have", () => {
    const sources = [
      ...loadSources().map(({ text }) => text),
      readFileSync(`${ROOT}wrangler.toml`, "utf8"),
    ].join("\n");
    const named = find(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+)[`=]/g);
    expect(named.length).toBeGreaterThan(100);
    const known = new Map<string, boolean>();
    for (const { found } of named)
      if (!known.has(found)) known.set(found, new RegExp(`\\b${found}\\b`).test(sources));
    expect(list(named.filter(({ found }) => !known.get(found)))).toEqual([]);
  });
});
