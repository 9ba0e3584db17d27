import { AxeBuilder } from "@axe-core/playwright";
import axeCore, { type RunOptions } from "axe-core";
import type { Page } from "playwright-core";

/** The part of a page to look at, and the only rules to try. */
type Scope = { within?: string; except?: string; rules?: string[] };

/** Only the first violation of each rule is described in full. */
const OPTIONS: RunOptions = { resultTypes: ["violations"] };

/** The axe violations of a page: each rule with the first element that violates it. */
export async function findViolations(page: Page, scope: Scope = {}): Promise<string[]> {
  // Colours in the middle of a transition are nobody's choice.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
  );
  return page.frames().length === 1 ? analyzeAlone(page, scope) : analyzeFrames(page, scope);
}

/**
 * In the page itself, which loads axe once: the builder loads it at each analysis, which takes longer than the analysis, and
 * sends whole results.
 */
async function analyzeAlone(page: Page, { within, except, rules }: Scope): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeCore.source);
  const context = { include: [within ?? "html"], ...(except ? { exclude: [except] } : {}) };
  const options: RunOptions = { ...OPTIONS, ...(rules ? { runOnly: { type: "rule", values: rules } } : {}) };
  return page.evaluate<string[]>(
    `axe.run(${JSON.stringify(context)}, ${JSON.stringify(options)}).then(({ violations }) =>
       violations.map(({ id, nodes }) => id + " " + (nodes[0]?.html ?? "")))`,
  );
}

/** By the builder, which asks the frames too and merges what they say in a separate tab. */
async function analyzeFrames(page: Page, { within, except, rules }: Scope): Promise<string[]> {
  // A copy, into which the builder writes the rules: they would be those of every later page.
  const axe = new AxeBuilder({ page }).options({ ...OPTIONS });
  if (rules) axe.withRules(rules);
  if (within) axe.include(within);
  if (except) axe.exclude(except);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ""}`);
}
