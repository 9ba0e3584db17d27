import { execFileSync } from "node:child_process";
import { globSync, mkdirSync, renameSync, rmSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../..", import.meta.url));

/** Where the sandbox stands bundled as one module. */
export const SANDBOX_FOLDER = `${root}/.cache/sandbox`;
export const SANDBOX_BUNDLE = `${SANDBOX_FOLDER}/index.js`;

/** Bundles the sandbox for Miniflare, unless nothing has changed since it was. */
export function bundleSandbox(): void {
  const bundledAt = statSync(SANDBOX_BUNDLE, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync(`${root}/{test/sandbox/**/*.{ts,toml},package-lock.json}`);
  if (sources.every((file) => statSync(file).mtimeMs < bundledAt)) return;
  const wrangler = `${root}/node_modules/wrangler/bin/wrangler.js`;
  const config = `${root}/test/sandbox/wrangler.toml`;
  const aside = `${SANDBOX_FOLDER}-${process.pid}`;
  const bundle = [wrangler, "deploy", "--dry-run", "--outdir", aside, "--config", config];
  // By this Node, which need not be the machine's.
  execFileSync(process.execPath, bundle, { stdio: "pipe" });
  // Others may load it meanwhile: a name changes hands at once.
  mkdirSync(SANDBOX_FOLDER, { recursive: true });
  renameSync(`${aside}/index.js`, SANDBOX_BUNDLE);
  rmSync(aside, { recursive: true });
}

/** Vitest's global setup. */
export const setup = bundleSandbox;
