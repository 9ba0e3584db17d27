import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import * as z from "zod";
import { readHarmless } from "../mutate/report.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const textOf = (file: string) => (existsSync(`${ROOT}${file}`) ? readFileSync(`${ROOT}${file}`, "utf8") : "");

it("each harmless fault is one of a file that is there, with a reason", () => {
  expect(readHarmless().filter(({ file }) => textOf(file) === "")).toEqual([]);
});

it("each listed guard stands in its file once", () => {
  const guards = z
    .array(z.object({ guard: z.string(), file: z.string(), original: z.string() }))
    .parse(JSON.parse(textOf("test/mutate/guards.json")));
  const stale = guards.filter(({ file, original }) => textOf(file).split(original).length !== 2);
  expect(stale.map(({ guard, file }) => `${guard}, ${file}`)).toEqual([]);
});
