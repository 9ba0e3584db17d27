import { describe, expect, it } from "vitest";
import { loadDriver, toDriverOwner } from "../../../db/queries/accounts/drivers.ts";
import type { DriverOwner } from "../../../db/shapes/profile.ts";
import { driverId as driverIdShape } from "../../../db/shapes/units.ts";
import { Ownership } from "../../../durable/driver/ownership.ts";
import { openCheckout } from "../../payments/checkout-harness.ts";

const DRIVER = driverIdShape.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

/** An object without an owner, whose database has the driver's record. */
async function open() {
  const at = openCheckout();
  at.addDriver(DRIVER);
  const record = await loadDriver(at.checkout.db, DRIVER);
  if (!record) throw new Error("there is no driver");
  const machine = {
    owner: null as DriverOwner | null,
    setOwner(owner: DriverOwner) {
      machine.owner = owner;
      return true;
    },
  };
  const account = { forgetOwner: () => {} };
  const ownership = new Ownership({ deps: at.checkout.deps, machine, account, objectName: "object" });
  return { at, machine, ownership, owner: toDriverOwner(record) };
}

describe("an object without an owner", () => {
  it("gets the driver of a record, who has the object from then on", async () => {
    const { at, machine, ownership, owner } = await open();
    await ownership.set(owner);
    expect(machine.owner).toEqual(owner);
    expect(at.rows(`SELECT driver_id, object_name FROM driver_objects`)).toEqual([
      { driver_id: DRIVER, object_name: "object" },
    ]);
  });

  it("stays without one where the account was deleted before", async () => {
    const { at, machine, ownership, owner } = await open();
    at.run(`DELETE FROM users`);
    await expect(ownership.set(owner)).rejects.toThrow("the account is deleted");
    expect([machine.owner, at.rows(`SELECT * FROM driver_objects`)]).toEqual([null, []]);
  });

  it("stays without one where a deletion begins while the database is asked", async () => {
    const { machine, ownership, owner } = await open();
    const setting = ownership.set(owner);
    ownership.noteDeletion();
    await expect(setting).rejects.toThrow("the account is deleted");
    expect(machine.owner).toBe(null);
  });
});

it("is left alone by a call with what was known of the driver before", async () => {
  const { machine, ownership, owner } = await open();
  await ownership.set(owner);
  machine.owner = { ...owner, language: "pt" };
  await ownership.set(owner);
  expect(machine.owner.language).toBe("pt");
});
