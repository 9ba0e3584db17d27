import { chromium, type BrowserContext } from "playwright-core";
import { inject, vi } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** The mutants that pages count. */
    pageMutants: string[];
  }
}

/** A fault keeps a page from its end for so long at most; a busy machine needs more for a story. */
const PAGE_MS = 15_000;
const STORY_MS = 90_000;

// `active-mutant.ts`, which is set up before this, decides which mutant is on; the pages that open then have it on, too.
const board = (globalThis.__stryker__ ??= {});
const isCounting = inject("mutationPlan").kind === "count";
const counted = isCounting ? inject("pageMutants") : [];
if (!isCounting) vi.setConfig({ testTimeout: STORY_MS, hookTimeout: STORY_MS });

// Every browser of the stories is started by this.
const launch = chromium.launch.bind(chromium);
chromium.launch = async (options) => {
  const browser = await launch(options);
  const open = browser.newContext.bind(browser);
  browser.newContext = async (given) => switchOn(await open(given));
  return browser;
};

async function switchOn(context: BrowserContext): Promise<BrowserContext> {
  const { activeMutant } = board;
  board.hitCount = (board.hitCount ?? 0) + 1;
  if (isCounting) await context.exposeBinding("countMutant", (_source, id: string) => count(id));
  else context.setDefaultTimeout(PAGE_MS);
  await context.addInitScript(
    ({ on, ids }) => {
      const left = new Set(ids);
      const tell = (_hits: object, id: string | symbol): boolean => {
        const countMutant: unknown = Reflect.get(globalThis, "countMutant");
        if (left.delete(String(id)) && typeof countMutant === "function") countMutant(String(id));
        return true;
      };
      const hits = new Proxy<Record<string, number>>({}, { set: tell });
      globalThis.__stryker__ = { activeMutant: on, mutantCoverage: { static: hits, perTest: {} } };
    },
    { on: activeMutant, ids: counted },
  );
  return context;
}

/** As the instrumenter's own code counts. */
function count(id: string): void {
  const { currentTestId, mutantCoverage } = board;
  if (!mutantCoverage) return;
  const { perTest, static: outside } = mutantCoverage;
  const hits = currentTestId === undefined ? outside : (perTest[currentTestId] ??= {});
  hits[id] = (hits[id] ?? 0) + 1;
}
