import { beforeEach, describe, expect, it } from "vitest";
import type { ErrorResponse } from "../../../worker/contract/error-response.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { minutesToDurations } from "../../../db/shapes/work/durations.ts";
import { weekSchedule } from "../../../db/shapes/work/filters.ts";
import { warehouseId } from "../../../db/shapes/units.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../../support/sandbox-client.ts";
import {
  createLinkedDriver,
  driverObject,
  resetPlatform,
  setSystemSwitch,
  createActiveDriver,
} from "../harness.ts";

beforeEach(() => resetPlatform());

async function problemOf(answer: Response): Promise<ErrorResponse> {
  return answer.json<ErrorResponse>();
}

describe("the switch", () => {
  it("stays off without complete filters or without service", async () => {
    const bare = await createLinkedDriver();
    const incomplete = await bare.client.patchUser({ phoneNumber: bare.phoneNumber, userDisabled: 0 });
    const unpaid = await createLinkedDriver({ serviceMs: 0 });
    await unpaid.client.saveFilters(permissiveFilters([permissiveWarehouseFilter(unpaid.warehouseIds[0]!)]));
    const refused = await unpaid.client.patchUser({ phoneNumber: unpaid.phoneNumber, userDisabled: 0 });

    expect([incomplete.status, (await problemOf(incomplete)).code]).toEqual([409, "filters_incomplete"]);
    expect([refused.status, (await problemOf(refused)).code]).toEqual([402, "no_service"]);
  });

  it.each([
    ["no day", { schedule: 0 }, { schedule: "none_selected" }],
    ["no length", { durations: minutesToDurations([]) }, { "warehouses.0.durations": "none_selected" }],
    [
      "a warehouse that the account hasn't",
      { warehouseId: warehouseId.parse("nowhere") },
      { "warehouses.0.warehouseId": "invalid" },
    ],
  ])("stays off with filters that have %s, which are kept and say so", async (_what, change, fields) => {
    const driver = await createLinkedDriver();
    const { schedule } = (await driver.client.filters()).filters;
    const isEmptyWeek = "schedule" in change;
    const filters = permissiveFilters(
      [{ ...permissiveWarehouseFilter(driver.warehouseIds[0]!), ...(isEmptyWeek ? {} : change) }],
      isEmptyWeek ? { schedule: weekSchedule.parse(schedule.map((day) => ({ ...day, active: false }))) } : {},
    );
    const saved = await driver.client.saveFilters(filters);
    const loaded = await driver.client.filters();
    const refused = await driver.client.patchUser({ phoneNumber: driver.phoneNumber, userDisabled: 0 });

    expect(saved).toMatchObject({ filters, complete: false, fields });
    const { Item: user } = await (await driver.client.call("GET", "/flex/v1/user")).json<{ Item: User }>();
    expect(user.setupComplete).toBe(false);
    expect(loaded).toEqual(saved);
    expect([refused.status, await problemOf(refused)]).toEqual([
      409,
      expect.objectContaining({ code: "filters_incomplete", fields }),
    ]);
  });

  it("stays off once the account is unlinked, though nothing is missing from the filters", async () => {
    const driver = await createActiveDriver();
    expect((await driver.client.call("DELETE", "/flex/v1/setup")).status).toBe(204);
    const refused = await driver.client.patchUser({ phoneNumber: driver.phoneNumber, userDisabled: 0 });
    const { code, fields } = await problemOf(refused);
    expect([refused.status, code, fields]).toEqual([409, "filters_incomplete", undefined]);
  });

  it("can't be used for another driver's number", async () => {
    const [mine, other] = [await createActiveDriver(), await createActiveDriver()];
    const answer = await mine.client.patchUser({ phoneNumber: other.phoneNumber, userDisabled: 1 });
    expect(answer.status).toBe(403);
    expect((await driverObject(other).snapshot()).switchedOn).toBe(true);
  });

  it("switches the object off and on", async () => {
    const driver = await createActiveDriver();
    await setSystemSwitch(driver, false);
    const off = await driverObject(driver).snapshot();
    await setSystemSwitch(driver, true);
    const on = await driverObject(driver).snapshot();
    expect([off.phase.kind, on.phase.kind]).toEqual(["off", "polling"]);
  });

  it("is of one revision in the answer and in the object, and of a higher one with each change", async () => {
    const driver = await createActiveDriver();
    const change = async (patch: Parameters<typeof driver.client.patchUser>[0]) => {
      const { Item } = await (await driver.client.patchUser(patch)).json<{ Item: User }>();
      const { revision } = await driverObject(driver).snapshot();
      expect(Item.revision).toBe(revision);
      return Number(revision);
    };
    const first = await change({ phoneNumber: driver.phoneNumber, userDisabled: 1 });
    const second = await change({ mode: "secure" });
    expect(second).toBe(first + 1);
  });
});
