import { expect, it } from "vitest";
import en from "../../locales/en.json" with { type: "json" };
import es from "../../locales/es.json" with { type: "json" };
import pt from "../../locales/pt.json" with { type: "json" };
import { ERROR_CODES, FIELD_ISSUES } from "../../worker/contract/error-response.ts";

const slotsOf = (text: string) => (text.match(/\{\w+\}/g) ?? []).toSorted();

it.each([
  ["es", es],
  ["pt", pt],
])("says everything in %s that it says in English, with the same figures in it", (_language, words) => {
  const other = new Map(Object.entries(words));
  expect([...other.keys()]).toEqual(Object.keys(en));
  const uneven = Object.entries(en).filter(
    ([key, text]) => String(slotsOf(text)) !== String(slotsOf(other.get(key) ?? "")),
  );
  expect(uneven).toEqual([]);
});

it("has words for every failure and every fault of a field", () => {
  const needed = [
    ...ERROR_CODES.map((code) => `problem_${code}`),
    ...FIELD_ISSUES.map((fault) => `field_${fault}`),
  ];
  expect(needed.filter((key) => !(key in en))).toEqual([]);
});
