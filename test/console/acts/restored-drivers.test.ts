import { expect, it } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import type { ConsoleContext } from "../../../worker/console/acts.ts";
import { planAfterRestore } from "../../../worker/console/recovery-acts.ts";
import { DRIVER, NOW, openCheckout } from "../../payments/checkout-harness.ts";

it("says before a restored database is followed how many drivers stay", async () => {
  const at = openCheckout();
  const erased = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a07");
  for (const id of [DRIVER, erased]) at.addDriver(id);
  const record = {
    holdRenewals: async () => {},
    listErasures: async () => [{ id: erased, at: NOW + 1 }],
    listRenewalsOff: async () => [],
  };
  const deps = { ...at.checkout.deps, restoreRecord: () => record, watchers: { all: () => [] } };
  const operator = { name: "owner@example.com", role: "owner" };
  const { before, after } = await planAfterRestore({
    ...at.checkout,
    deps,
    operator,
  } as never as ConsoleContext);
  expect([before, after]).toMatchObject([
    { drivers: 2, returned: 1 },
    { drivers: 1, returned: 0 },
  ]);
});
