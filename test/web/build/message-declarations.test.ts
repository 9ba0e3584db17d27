import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, it } from "vitest";
import { CONSOLE_MESSAGES, DRIVER_MESSAGES } from "../../../web/build/generated-sources.ts";
import { declarationsOf } from "../../../web/build/message-declarations.ts";

it.each([
  ["drivers", DRIVER_MESSAGES],
  ["operators", CONSOLE_MESSAGES],
])("the messages of %s are declared once each, with a type", (_, { project, outdir }) => {
  const messages = JSON.parse(readFileSync(resolve(project, "../en.json"), "utf8")) as object;
  const declarations = readFileSync(declarationsOf(outdir), "utf8");
  const constants = declarations.matchAll(/^export declare const (\w+): \(\(inputs/gm);
  const quoted = declarations.matchAll(/^export \{ \w+ as "([\w.]+)" \}$/gm);
  const declared = [...constants, ...quoted].map(([, name]) => name);
  const names = Object.keys(messages).filter((name) => name !== "$schema");
  expect(declared.toSorted()).toEqual(names.toSorted());
});
