import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** The axe violations of a page: each rule with the first element that violates it. */
export async function findViolations(
  page: Page,
  { within, except, rules }: { within?: string; except?: string; rules?: string[] } = {},
): Promise<string[]> {
  // Colours in the middle of a transition are nobody's choice.
  await page.evaluate(() =>
    Promise.allSettled(
      document
        .getAnimations()
        .filter(({ effect }) => effect?.getComputedTiming().iterations !== Infinity)
        .map(({ finished }) => finished),
    ),
  );
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] });
  if (rules) axe.withRules(rules);
  if (within) axe.include(within);
  if (except) axe.exclude(except);
  // axe merges the results of frames in a separate tab, which takes as long as the analysis itself.
  axe.setLegacyMode(page.frames().length === 1);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ""}`);
}
