import { describe, expect, it } from "vitest";
import { findViolations } from "../../support/accessibility.ts";
import { createActiveDriver, openDashboard, type OpenHarness } from "../harness.ts";
import { postJson } from "../../support/sandbox-client.ts";
import { openConsole, pay, picture } from "./console-harness.ts";

/** Announcements and raffles, for all drivers. */
export function describeVoice(open: OpenHarness): void {
  describe("the news for all drivers", () => {
    it("an announcement appears on an open dashboard, below the switch, and stays closed once it is closed", async () => {
      const driver = await createActiveDriver(open());
      const phone = await openDashboard(open(), driver);
      const systemSwitch = phone.page.getByRole("switch").first();
      await systemSwitch.waitFor();
      const before = await systemSwitch.boundingBox();
      const { page, context, errors } = await openConsole(open(), "owner");
      await page.getByRole("link", { name: "Voice" }).click();
      await page.getByRole("button", { name: "Announce", exact: true }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("In English").fill("No texts between 2 and 3 am on Sunday.");
      await dialog.getByLabel("In Spanish").fill("Sin mensajes el domingo de 2 a 3 am.");
      await dialog.getByLabel("Why").fill("the gateway is moved");
      await dialog.getByRole("button", { name: "Announce" }).click();
      await dialog.getByText("Write it in this language, too.").waitFor();
      await dialog.getByLabel("In Portuguese").fill("Sem SMS no domingo das 2h às 3h.");
      await picture(page, "announce");
      expect(await findViolations(page)).toEqual([]);
      await dialog.getByRole("button", { name: "Announce" }).click();
      await dialog.waitFor({ state: "hidden" });
      const line = phone.page.getByTestId("announcement");
      await line.getByText("No texts between 2 and 3 am on Sunday.").waitFor();
      expect((await systemSwitch.boundingBox())?.y).toBe(before?.y);
      expect(await findViolations(phone.page)).toEqual([]);
      await picture(phone.page, "dashboard-announcement");
      await line.getByRole("button", { name: "Close" }).click();
      await line.waitFor({ state: "detached" });
      await phone.page.reload();
      await systemSwitch.waitFor();
      expect(await line.count()).toBe(0);
      await page.getByRole("cell", { name: "All drivers", exact: true }).waitFor();
      await picture(page, "voice");
      expect(await findViolations(page)).toEqual([]);
      await page.getByRole("button", { name: "Take back" }).click();
      await dialog.getByLabel("Why").fill("it is done");
      await dialog.getByRole("button", { name: "Take back" }).click();
      await page.getByText("Over", { exact: true }).waitFor();
      expect(errors).toEqual([]);
      await context.close();
      await phone.context.close();
    });

    it("a raffle is announced, ended and drawn, and the draw is checked", async () => {
      const driver = await createActiveDriver(open());
      const { page, context, errors } = await openConsole(open(), "owner");
      await page.getByRole("link", { name: "Raffles" }).click();
      await page.getByRole("button", { name: "Announce a raffle" }).click();
      const dialog = page.getByRole("dialog");
      await dialog.getByLabel("Name in its address").fill("story");
      await dialog.getByLabel("Plan").selectOption("7days");
      await dialog.getByLabel("From").fill("2026-01-01T00:00");
      for (const [language, words] of [
        ["English", "A bike"],
        ["Spanish", "Una bici"],
        ["Portuguese", "Uma bicicleta"],
      ] as const)
        await dialog.getByLabel(`Prize in ${language}`).fill(words);
      await dialog.getByText("Premio: Una bici").waitFor();
      const passphrase = await dialog.getByRole("textbox", { name: "Passphrase" }).inputValue();
      await dialog.getByRole("checkbox").check();
      await dialog.getByLabel("Why").fill("a cold month");
      expect(await findViolations(page)).toEqual([]);
      await picture(page, "raffle");
      await dialog.getByRole("button", { name: "Announce a raffle" }).click();
      const table = page.getByRole("table", { name: "Raffles" });
      await table.getByText("Running").waitFor();
      const paymentId = await pay(open(), driver);
      await driver.client.fetchJson("GET", `/flex/v1/payments/${paymentId}`);
      await table.getByRole("button", { name: "End" }).click();
      await dialog.getByLabel("Why").fill("it is full");
      await dialog.getByRole("button", { name: "End a raffle" }).click();
      await table.getByText(/^Over, entries close:/).waitFor();
      const { sql, runCron, origin } = open().app;
      await sql(`UPDATE promotions SET ends_at = ends_at - 10800000 WHERE id = 'story'`);
      await runCron("* * * * *");
      await page.reload();
      await table.getByText(/^Waits for the beacon:/).waitFor();
      await picture(page, "raffles-waiting");
      await sql(`UPDATE promotions SET beacon_round = beacon_round - 2400 WHERE id = 'story'`);
      await postJson({ fetch, origin }, "/sandbox/drand/behavior", { behavior: "down" });
      await page.reload();
      await table.getByRole("button", { name: "Draw" }).click();
      await dialog.getByRole("textbox", { name: "Passphrase" }).fill("another one of the kind");
      await dialog.getByLabel("Why").fill("it is over");
      await dialog.getByRole("button", { name: "Draw a raffle" }).click();
      await dialog.getByText("This doesn't fit the fingerprint.").waitFor();
      await dialog.getByRole("textbox", { name: "Passphrase" }).fill(passphrase);
      await dialog.getByRole("button", { name: "Draw a raffle" }).click();
      await dialog.getByText("The server couldn't fetch it. Copy it from drand.").waitFor();
      await picture(page, "raffle-beacon");
      await postJson({ fetch, origin }, "/sandbox/drand/behavior", { behavior: "fair" });
      const [closed] = await sql(`SELECT beacon_round FROM promotions WHERE id = 'story'`);
      const beacon = await fetch(`${origin}/sandbox/drand/public/${String(closed?.["beacon_round"])}`);
      const { signature } = (await beacon.json()) as { signature: string };
      await dialog.getByLabel(/^Signature of round/).fill(signature);
      await dialog.getByRole("button", { name: "Draw a raffle" }).click();
      const check = dialog.getByTestId("raffle-check");
      await check.getByText("The seed fits the fingerprint").waitFor();
      await check.getByText(/drew again.*same/).waitFor();
      await check.getByText("The entries fit the fingerprint").waitFor();
      // The sandbox plays drand with a key of its own.
      await check.getByText(/from a chain other than drand's/).waitFor();
      expect(await findViolations(page)).toEqual([]);
      await picture(page, "raffle-check");
      await page.keyboard.press("Escape");
      await table.getByText("Drawn", { exact: true }).waitFor();
      await picture(page, "raffles");
      await page.getByRole("link", { name: "story" }).click();
      await page.getByTestId("raffle-check").getByText("The seed fits the fingerprint").waitFor();
      await page.getByText("A bike").waitFor();
      await page.getByText(/^Round \d+ of drand/).waitFor();
      await picture(page, "raffle-page");
      // The draw that was refused without a beacon.
      expect(errors).toEqual([expect.stringContaining("status of 400")]);
      await context.close();
    });
  });
}
