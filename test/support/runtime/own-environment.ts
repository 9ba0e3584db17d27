import { mkdirSync } from "node:fs";
import { useMemoryFolder } from "./memory-folder.ts";

/**
 * The machine's part in a run: where programs and temporary files are, how to print, and what was asked of this run by
 * name.
 */
const TAKEN =
  /^(?:BUILD_DIR|PATH|LD_LIBRARY_PATH|TMPDIR|TERM|COLORTERM|NO_COLOR|FORCE_COLOR|CI|DEBUG|VITEST.*|CHROMIUM_PATH|CLAIMS.*|CONSOLE_PICTURES|MATRIX.*|DRIFT.*|FONTS.*|LIVES|LOOKS|PROPERTIES|SEED)$/;

/**
 * Leaves the rest of the machine's environment out of this process and of all that it starts: settings of tools, accounts,
 * proxies, a time zone, and the home with whatever programs keep there.
 */
export function ownEnvironment(root: string): void {
  for (const name of Object.keys(process.env)) if (!TAKEN.test(name)) delete process.env[name];
  const home = `${root}/.cache/home`;
  mkdirSync(home, { recursive: true });
  Object.assign(process.env, {
    HOME: home,
    TZ: "UTC",
    NODE_ENV: "test",
    // A folder above may be somebody's, with settings in a file.
    CLOUDFLARE_LOAD_DEV_VARS_FROM_DOT_ENV: "false",
    WRANGLER_SEND_METRICS: "false",
  });
  useMemoryFolder();
}
