import { expect, it, vi } from "vitest";
import { openDb } from "../../db/client.ts";
import { createSecurityLog } from "../../durable/security-log.ts";
import type { Log } from "../../durable/runtime/log.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

it("a refusal warns and an act that was done is noted, each under its name", async () => {
  const log = vi.fn<Log>();
  const security = createSecurityLog({
    db: openDb(bindD1(migratedDatabase())),
    keys: { derive: () => Promise.reject(new Error("no address, no key")) },
    now: () => 0,
    log,
  });
  const caller = { address: null, device: { browser: null, system: null, country: null } };
  for (const event of ["account_deleted", "forbidden", "limit_reached", "sign_in_refused"] as const)
    await security.note({ event, account: "ana", caller });
  expect(log.mock.calls.map(([level, name, facts]) => [level, name, facts?.["outcome"]])).toEqual([
    ["info", "security.account_deleted", "done"],
    ["warn", "security.forbidden", "refused"],
    ["warn", "security.limit_reached", "refused"],
    ["warn", "security.sign_in_refused", "refused"],
  ]);
});

it("names each home or phone by a keyed hash, whichever of its addresses calls", async () => {
  const networksBy = async (key: number) => {
    const log = vi.fn<Log>();
    const security = createSecurityLog({
      db: openDb(bindD1(migratedDatabase())),
      keys: { derive: async () => [new Uint8Array(32).fill(key)] },
      now: () => 0,
      log,
    });
    for (const address of ["203.0.113.7", "203.0.113.8", "2001:db8:1:2::3", "2001:db8:1:2::4"]) {
      const caller = { address, device: { browser: null, system: null, country: null } };
      await security.note({ event: "forbidden", account: "ana", caller });
    }
    return log.mock.calls.map(([, , facts]) => String(facts?.["network"]));
  };
  const names = await networksBy(1);
  expect(names.every((name) => /^[0-9a-f]{16}$/.test(name))).toBe(true);
  const [home, other, phone, samePhone] = names;
  expect([new Set([home, other, phone]).size, samePhone]).toEqual([3, phone]);
  // Nobody without the key tells the address by trying all.
  expect((await networksBy(2)).some((name) => names.includes(name))).toBe(false);
});
