import { existsSync } from "node:fs";
import bundled from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";

const LOCAL = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** A real Chromium: the machine's own where there is one, else the one that comes as an npm package. */
export async function launchBrowser(): Promise<Browser> {
  const local = process.env["CHROMIUM_PATH"] ?? LOCAL.find((path) => existsSync(path));
  return chromium.launch({
    executablePath: local ?? (await bundled.executablePath()),
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
    ],
  });
}
