import { expect, it } from "vitest";
import { root } from "../unit.config.ts";
import { loadedBy, ReachingTests } from "../mutate/reaching-tests.ts";

it("takes what a file imports, and what that imports, but no types", () => {
  const texts: Record<string, string> = {
    "test/a.test.ts": `import { b } from "../web/b.ts";\nimport type { C } from "../web/c.ts";`,
    "web/b.ts": `import {\n  type D,\n  e,\n} from "./e.ts";\nexport { f } from "./f.tsx";\nawait import("./g.ts?raw");`,
    "web/e.ts": `import "./h.ts";\nimport react from "react";\nimport { b } from "./b.ts";`,
  };
  expect([...loadedBy("test/a.test.ts", (path) => texts[path] ?? null)].toSorted()).toEqual([
    "test/a.test.ts",
    "web/b.ts",
    "web/e.ts",
    "web/f.tsx",
    "web/g.ts",
    "web/h.ts",
  ]);
});

it("knows that tests in workerd load the Worker, and other tests what they import", () => {
  const tests = new ReachingTests();
  const inWorkerd = { project: "worker", moduleId: `${root}/test/worker/rewards/rewards.test.ts` };
  const inNode = { project: "engine", moduleId: `${root}/test/engine/verdicts/match.test.ts` };
  const sources = ["durable/driver/driver.ts", "durable/engine/verdicts/match.ts"];
  expect(sources.map((source) => tests.loads(inWorkerd, source))).toEqual([true, true]);
  expect(sources.map((source) => tests.loads(inNode, source))).toEqual([false, true]);
});
