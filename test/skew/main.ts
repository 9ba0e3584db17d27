import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import * as z from "zod";

// `npm run skew`: the last release's built page, in the browser stories of that release, against this server. `--
// --record` takes a new release.

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const FIXTURE = new URL("../fixtures/skew/release.json", import.meta.url);
const RESPONSES = "test/fixtures/skew/responses.json";
const CACHE = `${ROOT}.cache/skew`;
/** A driver's day, and captures. Other files of the release can be named. */
const STORIES = ["day", "capture"];

/**
 * The last release: its tag or commit, the hashes of the files of its built page, and the stories that are about
 * something else than the page, each with the reason.
 */
const release = z.object({
  commit: z.string(),
  unfit: z.record(z.string(), z.string()),
  files: z.record(z.string(), z.string()),
});

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { record: { type: "boolean", default: false } },
});
const known = release.parse(JSON.parse(readFileSync(FIXTURE, "utf8")));
const commit = values.record ? lastTag(known.commit) : known.commit;
if (hasCommit(commit)) run(commit);
else console.log(`skew: skipped, this folder has no history of ${commit}`);

function run(of: string): void {
  const page = buildPage(of);
  const files = hashesOf(page);
  if (values.record) {
    execFileSync(process.execPath, ["test/skew/record-shapes.ts", `${CACHE}/${of}`, RESPONSES], {
      cwd: ROOT,
    });
    const unfit = of === known.commit ? known.unfit : {};
    writeFileSync(FIXTURE, `${JSON.stringify({ commit: of, unfit, files }, null, 2)}\n`);
    return console.log(`skew: ${Object.keys(files).length} files of ${of} recorded`);
  }
  const changed = Object.keys({ ...files, ...known.files }).filter(
    (name) => files[name] !== known.files[name],
  );
  if (changed.length > 0) {
    console.error(`skew: the page built from ${of} is not the one that was released: ${changed.join(", ")}`);
    process.exitCode = 1;
    return;
  }
  const tree = `${CACHE}/${of}`;
  const build = `${tree}/.cache/dist`;
  rmSync(build, { recursive: true, force: true });
  cpSync(`${ROOT}.cache/dist`, build, { recursive: true });
  rmSync(`${build}/client`, { recursive: true });
  cpSync(page, `${build}/client`, { recursive: true });
  rmSync(`${tree}/db/migrations`, { recursive: true });
  cpSync(`${ROOT}db/migrations`, `${tree}/db/migrations`, { recursive: true });
  console.log(`skew: the page of ${of} against this server, in stories of ${of}`);
  for (const [story, reason] of Object.entries(known.unfit)) console.log(`  without "${story}": ${reason}`);
  const names = Object.keys(known.unfit).map((story) => RegExp.escape(story));
  const fit = names.length > 0 ? ["--testNamePattern", `^(?!.*(?:${names.join("|")})).*$`] : [];
  const vitest = ["vitest", "run", "--config", "test/vitest.config.ts", ...fit];
  const stories = STORIES.map((name) => storyIn(tree, name));
  const { status } = spawnSync("npx", [...vitest, ...(positionals.length > 0 ? positionals : stories)], {
    cwd: tree,
    stdio: "inherit",
  });
  process.exitCode = status ?? 1;
}

/** The file of a story in that release, which may have had it among those of `npm test`. */
function storyIn(tree: string, name: string): string {
  const file = `test/e2e/${name}.test.ts`;
  return existsSync(`${tree}/${file}`) ? file : file.replace(".test.", ".extended.test.");
}

/** Builds the page of a commit in a worktree of its own, with its own dependencies. @returns the folder of its files */
function buildPage(of: string): string {
  const tree = `${CACHE}/${of}`;
  const page = `${CACHE}/${of}-page`;
  if (!existsSync(tree)) git("worktree", "add", "--detach", tree, of);
  // Where they are linked from elsewhere, the bundler names its files otherwise.
  if (!existsSync(`${tree}/node_modules`)) execFileSync("npm", ["ci"], { cwd: tree, stdio: "inherit" });
  if (existsSync(page)) return page;
  execFileSync("npm", ["run", "build:sandbox"], { cwd: tree, stdio: "inherit" });
  cpSync(`${tree}/.cache/dist/client`, page, { recursive: true });
  return page;
}

function hashesOf(folder: string): Record<string, string> {
  const names = globSync("**/*", { cwd: folder, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => `${entry.parentPath}/${entry.name}`.slice(folder.length + 1));
  return Object.fromEntries(
    names.toSorted().map((name) => [
      name,
      createHash("sha256")
        .update(readFileSync(`${folder}/${name}`))
        .digest("hex")
        .slice(0, 16),
    ]),
  );
}

/** The latest tag, or the given commit where there is none. */
function lastTag(otherwise: string): string {
  try {
    return git("describe", "--tags", "--abbrev=0");
  } catch {
    return otherwise;
  }
}

function hasCommit(of: string): boolean {
  try {
    git("cat-file", "-e", `${of}^{commit}`);
    return true;
  } catch {
    return false;
  }
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: ROOT, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] }).trim();
}
