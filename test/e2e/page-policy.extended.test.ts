import { afterAll, beforeAll, expect, it } from "vitest";
import { createActiveDriver, openDashboard } from "./harness.ts";
import { openShellHarness, type ShellHarness } from "./shell-harness.ts";

let shell: ShellHarness;
beforeAll(async () => {
  shell = await openShellHarness();
});
afterAll(() => shell.close());

it("keeps to the policy that the page is served with, on every kind of screen and with a toast open", async () => {
  const driver = await createActiveDriver(shell);
  const { page, context, errors } = await openDashboard(shell, driver);
  const policy = (await fetch(shell.app.origin)).headers.get("content-security-policy") ?? "";
  expect(policy).not.toContain("unsafe-");
  for (const path of ["/", "/faqs", "/flex/filters", "/flex/blocks", "/flex/payments", "/flex/profile"]) {
    await page.goto(`${shell.app.origin}${path}`);
    await page.getByRole("heading", { level: 1 }).waitFor();
  }
  await page.getByLabel("Name", { exact: true }).fill("Ana Maria");
  await page.getByRole("button", { name: "Save", exact: true }).first().click();
  const toast = page.locator("[data-sonner-toast]");
  await toast.waitFor();
  expect(await toast.evaluate((element) => getComputedStyle(element).position)).toBe("absolute");
  expect(errors).toEqual([]);
  await context.close();
});
