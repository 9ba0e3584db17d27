import { beforeEach, expect, it } from "vitest";
import type { NotificationPreferences } from "../../../db/shapes/notifications.ts";
import { createDriver, resetPlatform } from "../harness.ts";
import { fetchTexts } from "../payments-harness.ts";

beforeEach(() => resetPlatform());

const PATH = "/flex/v1/user/notifications";

/** A driver, and a way to turn the texts of an event on or off. */
async function openSettings() {
  const driver = await createDriver();
  const put = async (body: Partial<NotificationPreferences>) =>
    expect((await driver.client.call("PUT", PATH, { body })).status).toBe(200);
  const turn = async (event: "captured" | "needs_you" | "service", text: boolean) => {
    const before = await driver.client.fetchJson<NotificationPreferences>("GET", PATH);
    await put({ ...before, [event]: { ...before[event], text } });
  };
  const told = async () => (await fetchTexts(driver)).filter((text) => text.includes("were turned off"));
  return { put, turn, told };
}

it.each(["captured", "needs_you"] as const)(
  "of %s are told to the owner by a last text, once each time that they are turned off",
  async (event) => {
    const { turn, told } = await openSettings();
    await turn(event, false);
    await expect.poll(told).toHaveLength(1);
    await turn(event, false);
    await turn(event, true);
    expect(await told()).toHaveLength(1);
    await turn(event, false);
    await expect.poll(told).toHaveLength(2);
  },
);

it("stay off where another setting is changed, without another word", async () => {
  const { put, turn, told } = await openSettings();
  await put({ captured: { text: false, push: true } });
  await expect.poll(told).toHaveLength(1);
  await put({ quietHours: null });
  await turn("needs_you", false);
  await expect.poll(told).toHaveLength(2);
});

it("of service are turned off without another word", async () => {
  const { turn, told } = await openSettings();
  await turn("service", false);
  await turn("captured", false);
  await expect.poll(told).toHaveLength(1);
});
