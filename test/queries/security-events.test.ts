import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import {
  addSecurityEvent,
  deleteOldSecurityEvents,
  listSecurityEvents,
} from "../../db/queries/accounts/security-events.ts";
import { DAY_MS, driverId, HOUR_MS } from "../../db/shapes/units.ts";
import { insertDriver } from "../support/driver-insert.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = Date.parse("2026-11-21T12:00:00Z");
const ANA = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const event = { userId: ANA, event: "sign_in", browser: null, system: null, country: null } as const;

function open() {
  const database = migratedDatabase();
  insertDriver(database, { id: ANA });
  return openDb(bindD1(database));
}

it("keeps of an account the events of last, and counts what repeats in an hour from one network", async () => {
  const db = open();
  for (let hour = 0; hour < 203; hour += 1)
    await addSecurityEvent(db, { ...event, network: "home", now: NOW + hour * HOUR_MS });
  await addSecurityEvent(db, { ...event, network: "home", now: NOW + 202 * HOUR_MS + 1 });
  const kept = await listSecurityEvents(db, ANA, { after: null, limit: 999 });
  expect(kept).toHaveLength(200);
  expect([kept[0]?.lastAt, kept[0]?.times, kept.at(-1)?.lastAt]).toEqual([
    NOW + 202 * HOUR_MS + 1,
    2,
    NOW + 3 * HOUR_MS,
  ]);
  const page = await listSecurityEvents(db, ANA, { after: kept[1] ?? null, limit: 2 });
  expect(page).toEqual(kept.slice(2, 4));
});

it("names ten networks of an hour, and adds up the others", async () => {
  const db = open();
  for (let network = 0; network < 13; network += 1)
    await addSecurityEvent(db, { ...event, network: `network ${network}`, now: NOW + network });
  const kept = await listSecurityEvents(db, ANA, { after: null, limit: 99 });
  expect(kept).toHaveLength(11);
  expect(kept[0]).toMatchObject({ network: "others", times: 3 });
});

it("forgets an event once it was last added to longer ago than it is kept", async () => {
  const db = open();
  await addSecurityEvent(db, { ...event, network: "home", now: NOW });
  await addSecurityEvent(db, { ...event, network: "home", now: NOW + 1 });
  const left = async () => (await listSecurityEvents(db, ANA, { after: null, limit: 9 })).length;
  await deleteOldSecurityEvents(db, NOW + 1 + DAY_MS, DAY_MS);
  expect(await left()).toBe(1);
  await deleteOldSecurityEvents(db, NOW + 2 + DAY_MS, DAY_MS);
  expect(await left()).toBe(0);
});
