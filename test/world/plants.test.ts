import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { expect, it } from "vitest";
import { PLANTS } from "./plants/plants.ts";

const textOf = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), "utf8");

it.each(PLANTS.flatMap(({ name, patches }) => patches.map((patch) => ({ name, ...patch }))))(
  "can still plant that $name ($file)",
  ({ file, find }) => {
    expect(textOf(file).split(find)).toHaveLength(2);
  },
);
