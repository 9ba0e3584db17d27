import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROOT } from "./documents.ts";

const EXPORTED = /^export (?:async )?(?:const|function\*?|class|type|interface|enum) ([A-Za-z_$][\w$]*)/gm;
const COMMENTS = /\/\*[^]*?\*\/|^\s*\/\/.*$/gm;
/** A name, other than a private member's. */
const NAMES = /(?<![\w$#])[A-Za-z_$][\w$]*/g;
/** The runtime and the router read what these export. */
const ENTRIES = /^worker\/(?:index|app)\.ts$|^web\/routes\//;
/** The program that makes the list of common passwords writes it with this. */
const OF_PROGRAMS = ["makeFilter"];

const product = globSync("{db,durable,worker,web}/**/*.{ts,tsx}", {
  cwd: ROOT,
  exclude: (path) => path === "web/paraglide",
}).map((path) => ({ path, text: readFileSync(`${ROOT}${path}`, "utf8").replaceAll(COMMENTS, "") }));

it("the product exports nothing that it doesn't use itself", () => {
  const uses = new Map<string, number>();
  for (const [name] of product.flatMap(({ text }) => [...text.matchAll(NAMES)]))
    uses.set(name, (uses.get(name) ?? 0) + 1);
  expect(uses.size).toBeGreaterThan(1_000);
  const unused = product
    .filter(({ path }) => !ENTRIES.test(path))
    .flatMap(({ text }) => [...text.matchAll(EXPORTED)].map(([, name = ""]) => name))
    .filter((name) => uses.get(name) === 1);
  expect(unused).toEqual(OF_PROGRAMS);
});
