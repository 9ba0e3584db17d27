import { createElement } from "react";
import { prerender } from "react-dom/static";
import { expect, it } from "vitest";
import { lazyOptional } from "../../../web/ui/lazy-optional.ts";

const Chart = () => "a chart";
const read = async (load: () => Promise<() => string>, Instead?: () => string) => {
  const { prelude } = await prerender(createElement(lazyOptional(load, Instead)));
  return new Response(prelude).text();
};
const failed = () => Promise.reject(new TypeError("Failed to fetch"));

it("shows a part once its code has come, and what stands in for it where that can't be had", async () => {
  expect(await read(async () => Chart)).toContain("a chart");
  expect(await read(failed, () => "a table")).toContain("a table");
  expect(await read(failed)).not.toContain("a chart");
});
