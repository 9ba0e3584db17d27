import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { SETTING_WORDS } from "../../durable/runtime/setting-words.ts";
import { CONSOLE_CHECKS } from "../../worker/operators/console-checks.ts";
import { CONSOLE_COMMANDS } from "../../worker/operators/console-commands.ts";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");
const readme = read("README.md");
const guides = readme + read(".github/CONTRIBUTING.md");
const found = (pattern: RegExp, text = guides) =>
  [...new Set([...text.matchAll(pattern)].map(([, one = ""]) => one))].toSorted();

describe("what README and CONTRIBUTING name", () => {
  it("is every setting, and no other", () => {
    const rows = readme.split("\n").filter((line) => line.startsWith("| `"));
    const cells = rows.map((line) => line.split("|")[1] ?? "").filter((cell) => /`[A-Z]+(?:_|`)/.test(cell));
    const inTable = found(/`([A-Z][A-Z_]+)`/g, cells.join());
    expect(inTable).toEqual(Object.keys(SETTING_WORDS).toSorted());
  });

  it("is a file or folder that there is", () => {
    const paths = [
      ...found(/`((?:\.github|db|durable|locales|test|web|worker)\/[\w./-]*)`/g),
      ...found(/ (test\/[\w./-]+\.test\.ts)/g),
    ];
    const made = /^web\/public\/\.well-known\//;
    expect(paths.filter((path) => !made.test(path) && !existsSync(new URL(path, root)))).toEqual([]);
  });

  it("is a script that there is", () => {
    const { scripts } = z
      .object({ scripts: z.record(z.string(), z.string()) })
      .parse(JSON.parse(read("package.json")));
    expect(found(/npm run ([a-z:]+)/g).filter((name) => !(name in scripts))).toEqual([]);
  });

  it("is a command of operators that there is", () => {
    const commands = { ...CONSOLE_COMMANDS, ...CONSOLE_CHECKS };
    const named = found(/npm run ops -- ([a-z-]+)/g);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !(name in commands))).toEqual([]);
  });
});

describe("a migration", () => {
  it("takes nothing from the former release, which runs on it during a deployment and after a rollback", () => {
    const files = readdirSync(new URL("db/migrations/", root)).filter((name) => name.endsWith(".sql"));
    const taking = files.filter((name) => /DROP (TABLE|COLUMN)|RENAME/i.test(read(`db/migrations/${name}`)));
    // The changelog says that the release before it runs no more.
    expect(taking).toEqual(["0003_identity_without_devices.sql"]);
  });
});
