import { globSync, readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import * as z from "zod";

// node test/skew/record-shapes.ts <folder of a release> <file>: writes what the page of that release parses its responses with.

const [folder = "", file = ""] = process.argv.slice(2);

const sources = globSync("web/**/*.{ts,tsx}", { cwd: folder }).map((path) =>
  readFileSync(`${folder}/${path}`, "utf8"),
);
const names = new Set(
  sources.flatMap((text) => [...text.matchAll(/parseResponse\(\s*(\w+),/g)].map(([, name = ""]) => name)),
);
const modules: object[] = await Promise.all(
  globSync("{worker/contract,db/shapes}/**/*.ts", { cwd: folder }).map(
    (path) => import(pathToFileURL(`${folder}/${path}`).href),
  ),
);
const shapes = modules.flatMap((module) =>
  Object.entries(module).filter(([name]) => names.has(name) || name === "serverMessage"),
);
const schema = z.toJSONSchema(z.object(Object.fromEntries(shapes)), {
  io: "input",
  unrepresentable: "any",
  reused: "ref",
  // Zod adds the bounds of safe integers to each integer.
  override: ({ jsonSchema }) => {
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  },
});
writeFileSync(file, `${JSON.stringify(schema, null, 2)}\n`);
