import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { ROOT } from "./documents.ts";

const DOCUMENT = "worker/decisions/two-at-a-time.md";

const FEATURES = [
  "Invitation",
  "Trial",
  "Spot",
  "Waiting line",
  "Payment",
  "Renewal",
  "Raffle",
  "Points",
  "Refund",
  "Linking",
  "Unlinking",
  "Changing the number",
  "Deleting",
  "Language",
  "Being disabled",
];

/** The section of what two devices of a driver do to each other. */
const DEVICES = "Two devices";

type Pair = { pair: string; effect: string; test: string };

/** The rows of the document: a section for each feature, a row for each that comes after it. */
function loadPairs(): Pair[] {
  const sections = readFileSync(`${ROOT}${DOCUMENT}`, "utf8").split(/^## /m).slice(1);
  return sections.flatMap((section) => {
    const [feature = "", ...lines] = section.split("\n");
    const rows = lines.filter((line) => line.startsWith("| ")).slice(2);
    return rows.map((line) => {
      const [, other = "", effect = "", test = ""] = line.split(" | ").join("|").split("|");
      return { pair: `${feature} × ${other.trim()}`, effect: effect.trim(), test: test.trim() };
    });
  });
}

const pairs = loadPairs();

it("says of each two features what they do to each other, once", () => {
  const expected = FEATURES.flatMap((one, index) =>
    FEATURES.slice(index + 1).map((other) => `${one} × ${other}`),
  );
  const ofFeatures = pairs.filter(({ pair }) => !pair.startsWith(DEVICES));
  expect(ofFeatures.map(({ pair }) => pair)).toEqual(expected);
  expect(pairs.filter(({ effect }) => !effect.endsWith("."))).toEqual([]);
});

it("names tests that exist, or none", () => {
  const missing = pairs.filter(({ test }) => {
    if (test === "–") return false;
    const [, file = "", title = ""] = /^`(.+)`: (.+)$/.exec(test) ?? [];
    return !existsSync(`${ROOT}${file}`) || !readFileSync(`${ROOT}${file}`, "utf8").includes(`"${title}"`);
  });
  expect(missing).toEqual([]);
});
