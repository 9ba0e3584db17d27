import { existsSync } from "node:fs";
import bundled from "@sparticuz/chromium";
import { chromium, type Browser } from "playwright-core";

const LOCAL = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"];

/** Flags for serverless functions. With them, closing a context would end the browser. */
const SINGLE = ["--single-process", "--no-zygote"];

/** Starts Chromium: the installed one if there is one, else the one from the npm package. */
export async function launchBrowser(): Promise<Browser> {
  const local = process.env["CHROMIUM_PATH"] ?? LOCAL.find((path) => existsSync(path));
  const quiet = [
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
  ];
  if (local) return chromium.launch({ executablePath: local, args: quiet });
  return chromium.launch({
    executablePath: await bundled.executablePath(),
    args: [...bundled.args, ...quiet].filter((arg) => !SINGLE.includes(arg)),
  });
}
