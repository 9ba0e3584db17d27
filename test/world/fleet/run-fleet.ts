import { createChance } from "../chance.ts";
import type { SimulatedD1 } from "../host/d1.ts";
import { openDriverLife, type DriverRecord } from "../life/driver-life.ts";
import { enterWorld } from "../host/globals.ts";
import type { DriverClass } from "../life/load-driver.ts";
import { SETTINGS } from "../settings.ts";
import { Timeline } from "../timeline.ts";
import { FLEET_STARTS_AT, FLEET_TEXTS, planFleet } from "./fleet-plan.ts";

const MAX_ENTRIES = 1_000_000;

/** A driver of a fleet after its evening. */
export type FleetRecord = DriverRecord & { isCalm: boolean };

/** Lives through an evening of several drivers, who share the database and its counts. */
export async function runFleet(
  seed: number,
  { driverClass, d1 }: { driverClass: DriverClass; d1: SimulatedD1 },
): Promise<{ drivers: FleetRecord[]; alerts: string[] }> {
  d1.clear();
  const timeline = new Timeline(FLEET_STARTS_AT);
  enterWorld({ timeline, chance: createChance(seed, "object"), onError: () => {} });
  const settings = { ...SETTINGS, ...FLEET_TEXTS };
  const lives = planFleet(seed).map(({ plan, phoneNumber, isCalm }) => ({
    isCalm,
    endsAt: plan.endsAt,
    life: openDriverLife(plan, { timeline, d1, driverClass, settings, phoneNumber }),
  }));
  const endsAt = Math.max(...lives.map((driver) => driver.endsAt));
  await timeline.runUntil(endsAt, { maxEntries: MAX_ENTRIES });
  const closes = lives.map(({ isCalm, life }) => ({ isCalm, close: life.readAtEnd() }));
  await timeline.runUntil(endsAt + 10_000, { maxEntries: MAX_ENTRIES + 20_000 });
  const alerts = d1.all(`SELECT name FROM service_alerts`).map(({ name }) => String(name));
  return { drivers: closes.map(({ isCalm, close }) => ({ ...close(), isCalm })), alerts };
}
