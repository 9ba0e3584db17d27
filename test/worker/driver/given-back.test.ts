import { beforeEach, describe, expect, it } from "vitest";
import type { Offer } from "../../../db/shapes/work/offer.ts";
import type { BlocksResponse } from "../../../worker/contract/work/blocks.ts";
import type { DriverExport } from "../../../worker/contract/account/account.ts";
import {
  advanceClock,
  apiTarget,
  createActiveDriver,
  driverObject,
  fetchAccepts,
  publishOffer,
  resetPlatform,
  runAlarm,
  type TestDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

const MINUTE_MS = 60_000;

async function passedOver({ client }: TestDriver) {
  const { items } = await client.fetchJson<BlocksResponse>("GET", "/flex/v1/blocks?type=disliked");
  return items.flatMap((item) => (item.type === "disliked" ? [item] : []));
}

/** Captures an offer and gives its block back by hand. Returns the block after the object has noticed. */
async function captureAndGiveBack(driver: TestDriver) {
  const offerId = await publishOffer(driver.warehouseIds[0]!);
  await runAlarm(driver);
  const [block] = (await driverObject(driver).snapshot()).held;
  if (!block) throw new Error("nothing was captured");
  await apiTarget.fetch(`${apiTarget.origin}/sandbox/platform/blocks/${block.blockId}`, { method: "DELETE" });
  advanceClock(6 * MINUTE_MS);
  await runAlarm(driver);
  return { offerId, block };
}

const wokenAgain = async (driver: TestDriver) => {
  advanceClock(4_000);
  await runAlarm(driver);
};

describe("a block that the driver gave back by hand", () => {
  it.each<[string, (offerId: Offer["offerId"]) => { offerId?: Offer["offerId"] }]>([
    ["its old id", (offerId) => ({ offerId })],
    ["a new id", () => ({})],
  ])("is not taken again under %s, until the driver says so", async (_case, idOf) => {
    const driver = await createActiveDriver();
    const { offerId, block } = await captureAndGiveBack(driver);
    const before = (await fetchAccepts()).length;
    await publishOffer(driver.warehouseIds[0]!, {
      ...idOf(offerId),
      startsAt: block.startsAt,
    });
    await wokenAgain(driver);

    const [item] = await passedOver(driver);
    expect(item?.reasons).toEqual([
      {
        code: "given_back",
        rule: expect.any(Number),
        offer: { blockId: block.blockId, startsAt: block.startsAt, endsAt: block.endsAt },
      },
    ]);
    expect((await fetchAccepts()).length).toBe(before);
    const { givenBack } = await driver.client.fetchJson<DriverExport>("GET", "/flex/v1/user/export");
    expect(givenBack).toMatchObject([{ blockId: block.blockId, takeAgain: false }]);

    const allowed = await driver.client.call("POST", `/flex/v1/blocks/${block.blockId}/take-again`);
    expect(allowed.status).toBe(204);
    await wokenAgain(driver);
    expect((await fetchAccepts()).length).toBe(before + 1);
    expect((await driverObject(driver).snapshot()).held).toMatchObject([{ startsAt: block.startsAt }]);
  });

  it("is not found if the driver never gave it back", async () => {
    const driver = await createActiveDriver();
    const response = await driver.client.call("POST", "/flex/v1/blocks/nothing/take-again");
    expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([404, "not_found"]);
  });
});

it("passes over an offer in another currency", async () => {
  const driver = await createActiveDriver();
  await publishOffer(driver.warehouseIds[0]!, { currency: "EUR" });
  await runAlarm(driver);
  expect((await passedOver(driver)).map(({ reasons }) => reasons)).toEqual([
    [{ code: "currency", rule: "USD", offer: "EUR" }],
  ]);
  expect(await fetchAccepts()).toEqual([]);
});
