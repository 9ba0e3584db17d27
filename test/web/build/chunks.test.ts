import { existsSync } from "node:fs";
import { expect, it } from "vitest";
import { NAMED_MODULES } from "../../../web/build/chunks.ts";
import { root } from "../../unit.config.ts";

it("is by modules that are there: one that moved would be in another chunk, and nothing else would say so", () => {
  const gone = Object.values(NAMED_MODULES)
    .flat()
    .filter((file) => !existsSync(`${root}/${file}`));
  expect(gone).toEqual([]);
});
