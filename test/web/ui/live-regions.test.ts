import { readdirSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

const WEB = new URL("../../../web/", import.meta.url);

it("keeps every live region displayed while it is empty, since screen readers miss the first words of a hidden one", () => {
  const files = readdirSync(WEB, { recursive: true, encoding: "utf8" }).filter((path) =>
    path.endsWith(".tsx"),
  );
  const hidden = files.filter((path) =>
    /<output[^>]*\bempty:hidden\b/u.test(readFileSync(new URL(path, WEB), "utf8")),
  );
  expect([files.length > 100, hidden]).toEqual([true, []]);
});
