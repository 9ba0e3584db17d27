import { beforeEach, expect, it } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  fetchAccepts,
  injectFault,
  publishOffer,
  resetPlatform,
  runAlarm,
  setSystemSwitch,
} from "../harness.ts";

beforeEach(() => resetPlatform({ accessTokenSeconds: 600 }));

it("sends no accept if the driver switches off while its token is refreshed", async () => {
  const driver = await createActiveDriver();
  await publishOffer(driver.warehouseIds[0]!, { inMinutes: 600 });
  for (const operation of ["listOffers", "refreshTokens"]) {
    await injectFault({ operation, fault: "held", times: 1 });
  }
  const held = async () =>
    (await apiTarget.fetch(`${apiTarget.origin}/sandbox/held`)).json<{ held: string[] }>();
  const release = () => apiTarget.fetch(`${apiTarget.origin}/sandbox/held`, { method: "DELETE" });

  const alarm = runAlarm(driver);
  await expect.poll(held).toEqual({ held: ["listOffers"] });
  advanceClock(20 * MINUTE_MS);
  await release();
  await expect.poll(held).toEqual({ held: ["refreshTokens"] });
  await setSystemSwitch(driver, false);
  await release();
  await alarm;

  expect(await fetchAccepts()).toEqual([]);
});
