import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const folder = `${root}/.cache/sandbox`;

/** The sandbox bundled as one module, for Miniflare. */
export const SANDBOX_BUNDLE = `${folder}/index.js`;

/** Vitest's global setup. */
export function setup(): void {
  const wrangler = `${root}/node_modules/.bin/wrangler`;
  const config = `${root}/test/sandbox/wrangler.toml`;
  execFileSync(wrangler, ["deploy", "--dry-run", "--outdir", folder, "--config", config], { stdio: "pipe" });
}
