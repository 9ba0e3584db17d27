import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { expect, it } from "vitest";
import { newerFeatures, removeFeatures } from "../support/oldest-browser.ts";
import { BUILD_DIR } from "../support/runtime/built-app.ts";

const CLIENT = join(BUILD_DIR, "client");

/** Those that a library looks for first: Zod, `@noble/curves` and, for a passkey's rarer calls, `@simplewebauthn/browser`. */
const OPTIONAL = [
  "URL.canParse",
  "Uint8Array.fromHex",
  "PublicKeyCredential.getClientCapabilities",
  "PublicKeyCredential.signalAllAcceptedCredentials",
  "PublicKeyCredential.signalCurrentUserDetails",
  "PublicKeyCredential.signalUnknownCredential",
];

it("names no function of a browser's own in what is built that the oldest one lacks", async () => {
  const files = (await readdir(CLIENT, { recursive: true })).filter((file) => file.endsWith(".js"));
  expect(files.length).toBeGreaterThan(20);
  const named = newerFeatures()
    .filter((path) => path.length === 2)
    .map((path) => path.join(".").replace(/_static$/u, ""))
    .filter((name) => /^\w+\.\w+$/u.test(name) && !OPTIONAL.includes(name));
  expect(named).toEqual(expect.arrayContaining(["Promise.withResolvers", "Map.groupBy", "AbortSignal.any"]));
  const newer = new RegExp(String.raw`\b(?:${named.join("|")})\(`, "gu");
  const found: string[] = [];
  for (const file of files) {
    const code = await readFile(join(CLIENT, file), "utf8");
    found.push(...[...code.matchAll(newer)].map(([name]) => `${file}: ${name}`));
  }
  expect(found).toEqual([]);
});

/** Runs the page's first script in a browser, and returns how old it calls that. */
async function ageOf({ hasColors = true, without = [] as string[][] }): Promise<string | undefined> {
  const dataset: Record<string, string> = {};
  const sandbox = {
    document: { documentElement: { dataset }, querySelectorAll: () => [] },
    matchMedia: () => ({ matches: false, addEventListener: () => undefined }),
    localStorage: { getItem: () => null },
    location: { pathname: "/faqs" },
    CSS: { supports: () => hasColors },
  };
  const script = await readFile(new URL("../../web/public/theme.js", import.meta.url), "utf8");
  runInNewContext(`(${removeFeatures})(${JSON.stringify(without)}); ${script}`, sandbox);
  return dataset["browser"];
}

it("calls a browser old that lacks what came shortly before, and none that lacks only what came later", async () => {
  expect(await ageOf({ without: newerFeatures().map((path) => [...path]) })).toBeUndefined();
  expect(await ageOf({ without: [["Array", "toSorted"]] })).toBe("old");
  expect(await ageOf({ hasColors: false })).toBe("old");
});
