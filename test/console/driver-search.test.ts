import { expect, it } from "vitest";
import { maskButEnd, parseDriverSearch } from "../../worker/console/phones.ts";

it.each([
  ["+15550100100", { kind: "number", number: "+15550100100" }],
  ["(555) 010-0100", { kind: "number", number: "+15550100100" }],
  ["1 555 010 0100", { kind: "number", number: "+15550100100" }],
  ["+55 11 91234-5678", { kind: "number", number: "+5511912345678" }],
  ["0100", { kind: "end", digits: "0100" }],
  [" 010-0100 ", { kind: "end", digits: "0100100" }],
  ["ana@", { kind: "email", prefix: "ana@" }],
  ["Ana da Silva", { kind: "name", words: "Ana da Silva" }],
  ["R2", { kind: "name", words: "R2" }],
  ["100", null],
  ["+1", null],
  ["123456789012", null],
])("reads %o as what it is", (typed, search) => {
  expect(parseDriverSearch(typed)).toEqual(search);
});

it("hides all of a number but its end", () => {
  expect(maskButEnd("+15550100100")).toBe("••• 0100");
});
