import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** What axe finds wrong with a page as it stands: each fault with the first place of it. */
export async function findViolations(
  page: Page,
  { within, except }: { within?: string; except?: string } = {},
): Promise<string[]> {
  const axe = new AxeBuilder({ page }).options({ resultTypes: ["violations"] });
  if (within) axe.include(within);
  if (except) axe.exclude(except);
  // Findings of several frames are put together in a tab of their own, which takes as long as the search.
  axe.setLegacyMode(page.frames().length === 1);
  const { violations } = await axe.analyze();
  return violations.map(({ id, nodes }) => `${id} ${nodes[0]?.html ?? ""}`);
}
