import type { BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect } from "vitest";
import { createActiveDriver, openAs, openE2eHarness, type E2eHarness } from "./harness.ts";

export type ActiveDriver = Awaited<ReturnType<typeof createActiveDriver>>;
type Story = { harness: E2eHarness; actor: ActiveDriver; page: Page; context: BrowserContext };
type StoryOptions = NonNullable<Parameters<typeof openAs>[3]> & {
  path: string;
  /** Acts of the driver before the page opens. */
  before?: (actor: ActiveDriver, harness: E2eHarness) => Promise<unknown>;
  /** Whether the page logs the failure that the story is about. */
  logsFailure?: boolean;
};

/**
 * The stories of a file, which share a harness: each is told by a new driver who is on, on one page, and ends without
 * an error of the page's.
 */
export function openStories(): (
  options: StoryOptions,
  story: (story: Story) => Promise<void>,
) => Promise<void> {
  let opened: E2eHarness | null = null;
  beforeAll(async () => {
    opened = await openE2eHarness();
  });
  afterAll(() => opened?.close());
  return async ({ path, before, logsFailure = false, ...options }, story) => {
    if (!opened) throw new Error("no harness");
    const harness = opened;
    const actor = await createActiveDriver(harness);
    await before?.(actor, harness);
    const { page, context, errors } = await openAs(harness, actor, path, options);
    await story({ harness, actor, page, context });
    if (!logsFailure) expect(errors).toEqual([]);
    await context.close();
  };
}
