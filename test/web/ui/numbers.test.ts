import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { formatTypedFigure } from "../../../web/features/language/typed-figure.ts";
import { NumberField, parseNumber } from "../../../web/ui/inputs/number-field.tsx";
import { Stepper, stepsFrom } from "../../../web/ui/inputs/stepper.tsx";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const nothing = () => undefined;
const typed = { onChange: nothing, format: formatTypedFigure };
const BOUNDS = { step: 500, min: 100, max: 1_700 };

it.each([
  [1_000, 500, 1_500],
  [1_250, 1_000, 1_500],
  [501, 500, 1_000],
  [499, 100, 500],
  [500, 100, 1_000],
  [100, 100, 500],
  [1_500, 1_000, 1_700],
  [1_700, 1_500, 1_700],
])("steps from %i to %i and %i", (value, less, more) => {
  expect(stepsFrom(value, BOUNDS)).toEqual({ less, more });
});

it.each([
  [100, [true, false]],
  [101, [false, false]],
  [1_699, [false, false]],
  [1_700, [false, true]],
])("ends at its bounds: %i", async (value, disabled) => {
  const part = createElement(Stepper, {
    label: "Pay",
    formattedValue: `$${value}`,
    value,
    onChange: nothing,
    ...BOUNDS,
  });
  const html = await htmlOfPart(part);
  expect(textsIn(html)).toEqual([`$${value}`]);
  // A disabled one would lose the focus.
  expect(html).not.toContain('disabled=""');
  expect(
    [...html.matchAll(/<button[^>]*>/gu)].map(([button]) => button.includes('aria-disabled="true"')),
  ).toEqual(disabled);
});

it.each([
  ["22", 100, 2_200],
  ["22.5", 100, 2_250],
  [" 22,05 ", 100, 2_205],
  ["22.", 100, 2_200],
  ["0.29", 100, 29],
  ["1.5", 60, 90],
  ["7", 1, 7],
  ["7.", 1, 7],
  ["22.5", 1, null],
  ["9999999", 1, 9_999_999],
  ["10000000", 1, null],
  ["22.555", 100, null],
  ["-1", 1, null],
  ["1e3", 1, null],
  ["1 000", 1, null],
  ["x1", 1, null],
  [".5", 100, null],
  ["", 1, null],
])("reads %j, of which one is %i, as %s", (text, scale, value) => {
  expect(parseNumber(text, scale)).toBe(value);
});

it("reads every number of minutes as it shows it in hours", async () => {
  for (let minutes = 0; minutes <= 60; minutes += 1) {
    const part = createElement(NumberField, { ...typed, label: "Hours", value: minutes, scale: 60 });
    const [, text = ""] = / value="([^"]*)"/u.exec(await htmlOfPart(part)) ?? [];
    expect(parseNumber(text, 60)).toBe(minutes);
  }
});

it("shows a number in the unit that is typed, and what is wrong with it", async () => {
  const read = async (fields: Partial<Parameters<typeof NumberField>[0]>) => {
    const part = createElement(NumberField, { ...typed, label: "Amount", value: 2_250, ...fields });
    const html = await htmlOfPart(part);
    return {
      value: / value="([^"]*)"/u.exec(html)?.[1],
      keys: /inputMode="(\w+)"/u.exec(html)?.[1],
      isWrong: html.includes('aria-invalid="true"'),
      isOff: html.includes('disabled=""'),
      texts: textsIn(html).slice(1),
    };
  };
  const plain = { value: "2250", keys: "numeric", isWrong: false, isOff: false, texts: [] };
  expect([
    await read({}),
    await read({ value: null }),
    await read({ scale: 100, prefix: "$" }),
    await read({ scale: 60, value: 80 }),
    await read({ hint: "Per hour" }),
    await read({ error: "Too low" }),
    await read({ disabled: true }),
  ]).toEqual([
    plain,
    { ...plain, value: "" },
    { ...plain, value: "22.5", keys: "decimal", texts: ["$"] },
    { ...plain, value: "1.33", keys: "decimal" },
    { ...plain, texts: ["Per hour"] },
    { ...plain, isWrong: true, texts: ["Too low"] },
    { ...plain, isOff: true },
  ]);
});

it.each([
  ["en", "1333.5"],
  ["es", "1333.5"],
  ["pt", "1333,5"],
] as const)(
  "shows decimals as the page's language writes them, and reads them again: %s",
  async (locale, shown) => {
    changeLocale(locale);
    const part = createElement(NumberField, { ...typed, label: "Amount", value: 133_350, scale: 100 });
    expect(await htmlOfPart(part)).toContain(` value="${shown}"`);
    expect(parseNumber(shown, 100)).toBe(133_350);
    changeLocale("en");
  },
);
