import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { deleteExpiredSeals, redeemSeal } from "../../db/queries/identity/one-time-proofs.ts";
import { beginLinkTry, endLinkTry } from "../../db/queries/work/link-leases.ts";
import { HOUR_MS, MINUTE_MS } from "../../db/shapes/units.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const NOW = 1_800_000_000_000;
const LIMIT = {
  subject: "tries",
  policy: { free: 2, firstLockMs: MINUTE_MS, maxLockMs: HOUR_MS, forgetOneMs: HOUR_MS },
};

function open() {
  const db = openDb(bindD1(migratedDatabase()));
  const begin = (holder: string, subjects: readonly string[], now = NOW) =>
    beginLinkTry(db, { lease: { holder, subjects, until: now + MINUTE_MS }, limits: [LIMIT] }, now);
  const end = (holder: string, uncounted: readonly string[] = []) => endLinkTry(db, { holder, uncounted });
  return { db, begin, end };
}

const counted = (wrong: number, lockedUntil = 0) => ({ kind: "counted", wrong, lockedUntil });

it("lets one caller link a driver and an account at a time, and counts no try that was refused for another", async () => {
  const { begin, end } = open();
  expect(await begin("one", ["driver", "account"])).toEqual(counted(1));
  for (const subjects of [["driver", "account"], ["account", "other"], ["driver"]])
    expect(await begin("two", subjects)).toBeNull();
  await end("two");
  expect(await begin("two", ["account"])).toBeNull();
  await end("one");
  expect(await begin("two", ["account", "driver"])).toEqual(counted(2, NOW + MINUTE_MS));
});

it("lets callers link others at once", async () => {
  const { begin } = open();
  expect(await begin("one", ["driver"])).toEqual(counted(1));
  expect(await begin("two", ["other"])).toEqual(counted(2, NOW + MINUTE_MS));
});

it("frees what a caller never let go of, once its time is over", async () => {
  const { begin } = open();
  await begin("one", ["driver"]);
  expect(await begin("two", ["driver"], NOW + MINUTE_MS - 1)).toBeNull();
  expect(await begin("two", ["driver"], NOW + MINUTE_MS)).toEqual(counted(2, NOW + 2 * MINUTE_MS));
});

it("counts no try that was right, and locks after those that were wrong", async () => {
  const { begin, end } = open();
  await begin("one", ["driver"]);
  await end("one", [LIMIT.subject]);
  for (const wrong of [1, 2]) {
    expect(await begin("one", ["driver"])).toMatchObject(counted(wrong, wrong === 2 ? NOW + MINUTE_MS : 0));
    await end("one");
  }
  expect(await begin("one", ["driver"])).toEqual({ kind: "locked", until: NOW + MINUTE_MS });
});

it("takes a sealed body once, and forgets it when it is too old to be sent again", async () => {
  const { db } = open();
  const redeem = (digest: string) => redeemSeal(db, { digest, expiresAt: NOW });
  expect([await redeem("a"), await redeem("a"), await redeem("b")]).toEqual([true, false, true]);
  await deleteExpiredSeals(db, NOW);
  expect(await redeem("a")).toBe(false);
  await deleteExpiredSeals(db, NOW + 1);
  expect(await redeem("a")).toBe(true);
});
