import { readFileSync, globSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { createBrowserHarness } from "../../support/browser-harness.ts";

afterEach(() => void vi.unstubAllGlobals());

const root = fileURLToPath(new URL("../../../web", import.meta.url));
const files = globSync("routes/**/*.tsx", { cwd: root }).toSorted();

type Search = Record<string, unknown>;
type RouteModule = { Route: { options: { validateSearch?: (given: Search) => Search } } };

/** A value of each parameter that some route knows. */
const VALID: Search = {
  plan: "1day",
  redirect_status: "succeeded",
  payment: "6f0c6f6e-5f0e-4c0c-9d56-000000000001",
  type: "lost",
  back: "/flex/blocks",
  referral: "ana",
  token: "header.payload.signature",
  instant: 1,
  again: 1,
};

const HOSTILE: unknown[] = [
  "evil",
  "../user/export",
  "//evil.example",
  "https://evil.example",
  "/\\evil.example",
  "javascript:alert(1)",
  "<script>",
  "a".repeat(5_000),
  "",
  123,
  0,
  true,
  null,
  ["succeeded"],
  { toString: "x" },
];

let validators: { file: string; validate: (given: Search) => Search }[];
beforeAll(async () => {
  createBrowserHarness();
  const modules = await Promise.all(
    files.map(async (file) => ({ file, module: (await import(`${root}/${file}`)) as RouteModule })),
  );
  validators = modules.flatMap(({ file, module }) => {
    const validate = module.Route.options.validateSearch;
    return validate ? [{ file, validate }] : [];
  });
});

/** A screen's parameters: the router merges the validated ones over the given ones. */
const readBy = (validate: (given: Search) => Search, given: Search): Search => ({
  ...given,
  ...validate(given),
});

it("lets each parameter through to its route", () => {
  const known = validators.flatMap(({ validate }) => Object.keys(validate(VALID)));
  expect(new Set(known)).toEqual(new Set(Object.keys(VALID)));
  for (const { validate } of validators) expect(VALID).toMatchObject(validate(VALID));
});

it("shows no screen a value that its route's validator does not return", () => {
  const passed = validators.flatMap(({ file, validate }) =>
    Object.keys(validate(VALID)).flatMap((name) =>
      HOSTILE.flatMap((value) => {
        const read = readBy(validate, { ...VALID, [name]: value })[name];
        const isOwn = read === undefined || Object.is(validate({ [name]: read })[name], read);
        return isOwn ? [] : [`${file}: ${name}=${JSON.stringify(value)}`];
      }),
    ),
  );
  expect(passed).toEqual([]);
});

it.each([
  ["flex/payments/route.tsx", "redirect_status", "evil"],
  ["flex/payments/route.tsx", "payment", "../user/export"],
  ["flex/payments/route.tsx", "payment", 123],
  ["flex/payments/route.tsx", "again", "yes"],
  ["flex/payments/route.tsx", "again", 2],
  ["login.tsx", "back", 123],
  ["login.tsx", "back", "//evil.example"],
  ["register.tsx", "referral", "a".repeat(65)],
  ["register.tsx", "referral", ["a"]],
  ["arrived.tsx", "token", 123],
  ["arrived.tsx", "instant", 2],
])("drops in %s the %s %j", (file, name, value) => {
  const route = validators.find((known) => known.file === `routes/${file}`);
  expect(route && readBy(route.validate, { [name]: value })[name]).toBeUndefined();
});

it("reads search parameters nowhere but through a route", () => {
  const sources = globSync("**/*.{ts,tsx}", { cwd: root, exclude: ["messages/**", "service-worker/**"] });
  const reading = sources.filter((file) =>
    /location\.search\b|useLocation\(\)\.search|searchStr\b/.test(readFileSync(`${root}/${file}`, "utf8")),
  );
  // The page keeps an inviter's link before any route is known.
  expect(reading).toEqual(["page/main.tsx"]);
});
