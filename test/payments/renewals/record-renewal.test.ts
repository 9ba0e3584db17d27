import { expect, it } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import type { Deps } from "../../../durable/deps.ts";
import { recordRenewal } from "../../../worker/payments/renewals/record-renewal.ts";

const ANA = driverId.parse("6f0c6f6e-5f0e-4c0c-9d56-0123456789ab");

it("records when a renewal turned off, and only logs an error where that can't be recorded", async () => {
  const told: unknown[] = [];
  const deps = (recorded: () => Promise<void>) => ({
    now: () => 7,
    log: (...line: unknown[]) => void told.push(line.slice(0, 2)),
    restoreRecord: () => ({
      recordRenewal: (...change: unknown[]) => {
        told.push(change);
        return recorded();
      },
    }),
  });
  const off = (recorded: () => Promise<void>) =>
    recordRenewal(deps(recorded) as unknown as Pick<Deps, "restoreRecord" | "now" | "log">, ANA, false);
  await off(async () => {});
  await off(() => Promise.reject(new Error("the object is gone")));
  const change = [ANA, { isOn: false, at: 7 }];
  expect(told).toEqual([change, change, ["error", "restore.record.failed"]]);
});
