import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { TableDemo } from "../../../web/features/demo/table-demo.tsx";
import { EXAMPLE_EVENING } from "../../../web/features/landing/example-evening.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { textsIn, rowsOf } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

it("shows all blocks of the example, unsorted, until one outcome is chosen", async () => {
  const html = await htmlOfPart(createElement(TableDemo));
  const [, table = ""] = html.split("</caption>");
  const [titles, ...rows] = rowsOf(`<table aria-label="blocks">${table}`, "blocks");
  expect(titles).toEqual(["Warehouse", "Starts", "Hours", "Pay"]);
  expect(rows.map(([place]) => place)).toEqual(EXAMPLE_EVENING.map(({ name }) => textsIn(name)[0]));
  expect([...html.matchAll(/aria-sort="(\w+)"/gu)].map(([, order]) => order)).toEqual(
    titles?.map(() => "none"),
  );
  const options = html.slice(html.indexOf("<select"), html.indexOf("</select>"));
  expect([...options.matchAll(/<option value="(\w+)"( selected="")?/gu)].map(([, ...one]) => one)).toEqual([
    ["all", ' selected=""'],
    ["won", undefined],
    ["rejected", undefined],
    ["lost", undefined],
  ]);
});
