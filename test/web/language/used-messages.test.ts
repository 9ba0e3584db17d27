import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import en from "../../../locales/en.json" with { type: "json" };

const ROOT = new URL("../../..", import.meta.url).pathname;
const SOURCES = globSync("{web,worker,durable,db,locales}/**/*.{ts,tsx}", {
  cwd: ROOT,
  exclude: ["web/messages/**"],
})
  .map((path) => readFileSync(`${ROOT}/${path}`, "utf8"))
  .join("\n");

/** Keys as they stand: `m.save_saved()`, `"text_captured"`. */
const names = new Set(SOURCES.match(/\b[a-z][\w.]*/gi)?.flatMap((name) => name.split(/^m\./)));
/** Keys that are put together around a word: `push_${kind}_title`. */
const patterns = [
  ...new Set(
    [...SOURCES.matchAll(/`((?:\w|\$\{[\w.]+\})*_(?:\w|\$\{[\w.]+\})*)`/g)]
      .flatMap(([, template = ""]) => template)
      .filter(
        (template) => template.includes("${") && /[a-z]{4}/.test(template.replaceAll(/\$\{[\w.]+\}/g, "_")),
      ),
  ),
].map((template) => new RegExp(`^${template.replaceAll(/\$\{[\w.]+\}/g, "\\w+")}$`));

it("has no message that nothing shows or sends", () => {
  const unused = Object.keys(en).filter(
    (key) => !names.has(key) && !patterns.some((pattern) => pattern.test(key)),
  );
  expect(unused).toEqual([]);
});
