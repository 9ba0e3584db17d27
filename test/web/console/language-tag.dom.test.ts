import { expect, it, vi } from "vitest";

it("loads the plots in a browser whose language is none", async () => {
  const named = vi.spyOn(navigator, "language", "get").mockReturnValue("en-US@posix");
  vi.resetModules();
  await expect(import("../../../web/console/plots/plot.tsx")).resolves.toHaveProperty("Plot");
  named.mockRestore();
});
