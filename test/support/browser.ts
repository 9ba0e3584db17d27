import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { chromium, type Browser } from "playwright-core";
import project from "../../package.json" with { type: "json" };

const LOCAL = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts Chromium: the installed one if there is one, else the one from the npm package. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const local = process.env["CHROMIUM_PATH"] ?? LOCAL.find((path) => existsSync(path));
  return chromium.launch({
    executablePath: local ?? (await unpackChromium()),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      ...args,
    ],
  });
}

/**
 * The path of the npm package's Chromium, unpacked once per machine. The package writes it where it is run from, so
 * whoever starts it meanwhile fails with ETXTBSY, and what was cut off stays: it is unpacked aside, and then moved.
 */
async function unpackChromium(): Promise<string> {
  const folder = join(tmpdir(), `jornada-chromium-${project.devDependencies["@sparticuz/chromium"]}`);
  const path = join(folder, "chromium");
  if (existsSync(path)) return path;
  const aside = await mkdtemp(`${folder}-`);
  // The package unpacks into the folder for temporary files, which is the whole process's.
  const unpack = `const { default: chromium } = await import("@sparticuz/chromium"); await chromium.executablePath();`;
  await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", unpack], {
    cwd: import.meta.dirname,
    env: { ...process.env, TMPDIR: aside },
  });
  // Where another was first, its folder stands.
  await rename(aside, folder).catch(() => rm(aside, { recursive: true }));
  return path;
}
