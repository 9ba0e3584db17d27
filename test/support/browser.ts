import { existsSync } from "node:fs";
import bundled from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";

const LOCAL = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Starts Chromium: the installed one if there is one, else the one from the npm package. */
export async function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  const local = process.env["CHROMIUM_PATH"] ?? LOCAL.find((path) => existsSync(path));
  return chromium.launch({
    executablePath: local ?? (await bundled.executablePath()),
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
