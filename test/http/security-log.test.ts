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
