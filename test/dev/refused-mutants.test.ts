import { describe, expect, it } from "vitest";
import type { Mutant } from "../mutate/mutants.ts";
import { unrelatedGroups } from "../mutate/refused-mutants.ts";

const SOURCES = new Map([
  ["db/shapes/pay.ts", "export type Cents = number;"],
  [
    "durable/offer.ts",
    'import type { Cents } from "../db/shapes/pay.ts";\nexport type Offer = { pay: Cents };',
  ],
  [
    "worker/route.ts",
    'import { m } from "./messages.js";\nexport { type Offer } from "../durable/offer.ts";',
  ],
  ["web/late.ts", 'export const load = () => import("./part.tsx");'],
  ["web/part.tsx", "export const Part = () => null;"],
]);

function mutantOf(file: string): Mutant {
  const at = { line: 1, column: 1 };
  const fault = { mutator: "BooleanLiteral", original: "true", replacement: "false", code: "false" };
  return { id: file, file, ...fault, line: 1, start: at, end: at };
}

const group = (...files: string[]) =>
  unrelatedGroups(files.map(mutantOf), SOURCES).map((mutants) => mutants.map(({ file }) => file));

describe("faults that are compiled at once", () => {
  it("are in files that use no other of these, for a type or through others", () => {
    expect(group("db/shapes/pay.ts", "worker/route.ts", "web/part.tsx")).toEqual([
      ["db/shapes/pay.ts", "web/part.tsx"],
      ["worker/route.ts"],
    ]);
    expect(group("durable/offer.ts", "db/shapes/pay.ts")).toEqual([
      ["durable/offer.ts"],
      ["db/shapes/pay.ts"],
    ]);
  });

  it("are in files that load no other of these later", () => {
    expect(group("web/late.ts", "web/part.tsx")).toEqual([["web/late.ts"], ["web/part.tsx"]]);
  });

  it("are one of each file", () => {
    expect(group("web/part.tsx", "web/part.tsx")).toEqual([["web/part.tsx"], ["web/part.tsx"]]);
  });
});
