import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { versionOf, type Versioned } from "../../db/shapes/versioned.ts";
import { readFixture, readGoldenRows, readGoldenTexts } from "./golden.ts";
import { STORED_VALUES } from "./stored-values.ts";

/** By value and version; a list where a version's shape grew by what has a default, or by a word more, the latest last. */
const fingerprints = z
  .record(z.string(), z.record(z.string(), z.union([z.string(), z.array(z.string())])))
  .parse(readFixture("shapes.json"));
const golden = new Set(
  [...readGoldenRows(), ...readGoldenTexts()].map(({ name, version }) => `${name} ${version}`),
);

describe("a stored shape", () => {
  it.each([...STORED_VALUES])("%s matches the fingerprint of its version", (name, versioned) => {
    const version = versionOf(versioned);
    const [known, today] = [[fingerprints[name]?.[version] ?? []].flat().at(-1), fingerprintOf(versioned)];
    const advice =
      known === undefined
        ? `Add "${version}": "${today}" under "${name}" in test/fixtures/stored/shapes.json, and a golden row of version ${version} beside it.`
        : `The shape of ${name} changed, and rows of version ${version} are stored already. Where every row of that version is read as it was (a new field has a default, an enum one word more), add "${today}" to a list under that version in test/fixtures/stored/shapes.json. Else raise its version by one more upcast (from ${version} to ${version + 1}) where the shape is declared; add a golden row v${version + 1} to test/fixtures/stored and "${version + 1}": "${today}" under "${name}" in shapes.json. Golden rows and fingerprints that are there already stay as they are.`;
    expect(today, advice).toBe(known);
  });

  it.each([...STORED_VALUES])("%s has a golden row of every version", (name, versioned) => {
    const versions = Array.from({ length: versionOf(versioned) }, (_, index) => index + 1);
    const missing = versions.filter((version) => !golden.has(`${name} ${version}`));
    expect(missing, `test/fixtures/stored holds no golden row of ${name} of these versions`).toEqual([]);
  });

  it("is still stored if it has a fingerprint", () => {
    expect(Object.keys(fingerprints).toSorted()).toEqual([...STORED_VALUES.keys()].toSorted());
  });
});

describe("the shape of the page's stored values", () => {
  const DECLARED = [
    "api/cache/offline-cache.ts",
    "api/client/client.ts",
    "api/client/send-once.ts",
    "api/device/calendar.ts",
    "api/device/push.ts",
    "api/queries/setup.ts",
    "api/session/auth.ts",
    "api/session/passkey-hints.ts",
    "features/account/account-store.ts",
    "features/account/inviter.ts",
    "features/account/referral.ts",
    "features/dashboard/announcements.tsx",
    "features/filters/draft-store.ts",
    "features/notifications/capture-alert.ts",
    "features/notifications/push-prompt.tsx",
    "features/start/use-start-step.ts",
  ];
  /** Plain text, and values of the identity library. */
  const OTHERS = [
    "api/cache/storage.ts",
    "api/client/bookmark.ts",
    "api/client/send-once.ts",
    "api/device/browser-id.ts",
    "api/queries/setup.ts",
    "api/session/auth.ts",
    "api/session/token-storage.ts",
    "early/early-calls.ts",
    "early/page-root.ts",
    "features/account/account-store.ts",
    "features/account/human-challenge.tsx",
    "features/errors/missing-chunk.ts",
    "features/filters/draft-store.ts",
    "features/start/use-start-step.ts",
    "features/ui-state/theme.ts",
    "public/theme.js",
  ];
  const sources = readdirSync(new URL("../../web", import.meta.url), { recursive: true, encoding: "utf8" })
    .filter((path) => /\.(ts|tsx|js)$/.test(path) && !/(^|\/)messages\//.test(path))
    .map((path) => ({ path, text: readFileSync(new URL(`../../web/${path}`, import.meta.url), "utf8") }));
  const pathsWith = (pattern: RegExp) =>
    sources.filter(({ text }) => pattern.test(text)).map(({ path }) => path);

  it("is written by the module that adds a version", () => {
    expect(pathsWith(/\b(local|session)Storage\b|indexedDB/).toSorted()).toEqual(OTHERS);
  });

  it("is listed among the stored values", () => {
    expect(pathsWith(/createStored\(/).toSorted()).toEqual(DECLARED);
  });
});

/** A digest of what a shape accepts, independent of the order of fields, enum values and required names. */
function fingerprintOf({ shape }: Versioned<unknown>): string {
  const schema = z.toJSONSchema(shape, { io: "input", unrepresentable: "any" });
  return createHash("sha256")
    .update(JSON.stringify(canonical(schema)))
    .digest("hex")
    .slice(0, 16);
}

function canonical(schema: unknown): unknown {
  if (Array.isArray(schema)) {
    const items: unknown[] = schema.map(canonical);
    return items.every((item) => typeof item === "string") ? items.toSorted() : items;
  }
  if (typeof schema !== "object" || schema === null) return schema;
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => [key, canonical(value)]);
  return Object.fromEntries(entries.toSorted(([one], [other]) => (one < other ? -1 : 1)));
}
