import { expect, it } from "vitest";
import { loadDriverPage, searchDrivers } from "../../worker/console/driver-page.ts";
import { maskButEnd, parseDriverSearch } from "../../worker/console/phones.ts";
import { sha256Hex } from "../../db/shapes/sha256-hex.ts";
import { ANA, openDesk } from "./desk.ts";

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

it("leaves a line in the log for each search and each driver's page, with the operator and no number", async () => {
  const at = openDesk();
  for (const typed of ["+15550100100", "ana@", "100"]) await searchDrivers(at.as("one"), typed);
  await loadDriverPage(at.as("one"), ANA);
  const who = { operator: (await sha256Hex("one@example.com")).slice(0, 12), role: "support" };
  expect(at.lines("info", "operator.search")).toEqual([
    { ...who, by: "number", found: 0 },
    { ...who, by: "email", found: 0 },
    { ...who, by: null, found: 0 },
  ]);
  expect(at.lines("info", "operator.look")).toEqual([{ ...who, driverId: ANA }]);
});
