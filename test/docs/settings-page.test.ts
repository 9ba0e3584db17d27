import { describe, expect, it } from "vitest";
import { renderSettings } from "./settings-page.ts";

describe("SETTINGS.md", () => {
  it("says what the settings' words say", async () => {
    await expect(renderSettings()).toMatchFileSnapshot("../../durable/runtime/SETTINGS.md");
  });
});
