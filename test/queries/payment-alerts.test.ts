import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import {
  listOpenPaymentAlerts,
  raisePaymentAlert,
  resolvePaymentAlerts,
} from "../../db/queries/payments/alerts.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = 1_800_000_000_000;

it("are one for each kind and intent, open until their intent is resolved, and again where it happens again", async () => {
  const db = openDb(bindD1(migratedDatabase()));
  const raise = (kind: "mismatch" | "unrefunded", intentId: string, now = NOW) =>
    raisePaymentAlert(db, { kind, intentId, paymentId: null, now });
  const open = async () =>
    (await listOpenPaymentAlerts(db, 10)).map(({ kind, intentId, at }) => [kind, intentId, at - NOW]);
  await raise("mismatch", "pi_1");
  await raise("mismatch", "pi_1", NOW + 9);
  await raise("unrefunded", "pi_1", NOW + 1);
  await raise("mismatch", "pi_2", NOW + 2);
  expect(await open()).toEqual([
    ["mismatch", "pi_1", 0],
    ["unrefunded", "pi_1", 1],
    ["mismatch", "pi_2", 2],
  ]);
  expect(await listOpenPaymentAlerts(db, 2)).toHaveLength(2);
  await resolvePaymentAlerts(db, "pi_1", NOW + 3);
  expect(await open()).toEqual([["mismatch", "pi_2", 2]]);
  await raise("mismatch", "pi_1", NOW + 4);
  expect(await open()).toEqual([
    ["mismatch", "pi_1", 0],
    ["mismatch", "pi_2", 2],
  ]);
});
