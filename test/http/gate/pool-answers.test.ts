import { describe, expect, it, vi } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import { createDeps } from "../../../durable/deps.ts";
import { openUserPool } from "../../../worker/http/gate/user-pool.ts";
import type { UserPool } from "../../../worker/identity/user-pool.ts";
import { passkeyRoutes } from "../../../worker/routes/account/passkeys.ts";
import { undoRoutes } from "../../../worker/routes/account/security.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { passwordNotice } from "../../support/pool-user.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";
import { DEMO_SETTINGS } from "../../support/settings.ts";
import { insertDriver } from "../../support/driver-insert.ts";
import { appWith, callerOf } from "../app-with.ts";

const OWNER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

/** A driver's calls while the pool answers so. */
function openAccount(answers: Partial<UserPool>) {
  const database = migratedDatabase();
  insertDriver(database, { id: OWNER, humanTimezone: "UTC", proxyInstalled: true });
  const env = { ...DEMO_SETTINGS, IDENTITY: "embedded", DB: bindD1(database), DRIVER: {}, ASSETS: {} };
  const note = vi.fn(async () => {});
  const deps = { ...createDeps(env), security: { note } };
  const pool = openUserPool(deps, env);
  const userPool = pool && { ...pool, ...answers };
  const caller = { ...callerOf(OWNER), sessionId: "s", signedInAt: deps.now() };
  const app = appWith({ deps, db: deps.db, userPool, caller, undo: passwordNotice(OWNER) })
    .route("/undo", undoRoutes)
    .route("/passkeys", passkeyRoutes);
  const post = async (path: string) => {
    const response = await app.request(path, { method: "POST" }, env);
    return [response.status, response.status === 204 ? null : Object(await response.json()).code];
  };
  return { post, note };
}

describe("a change that is undone", () => {
  it.each(["/undo", "/passkeys/undo-recovery"])("is noted where it was, and only there: %s", async (path) => {
    const answered = async (result: "undone" | "gone" | "taken") => {
      const { post, note } = openAccount({ undo: async () => result, undoRecovery: async () => result });
      return [...(await post(path)), note.mock.calls.length];
    };
    expect(await answered("undone")).toEqual([204, null, 1]);
    // By another link, between the look at this one and the undoing.
    expect(await answered("gone")).toEqual([410, "undo_expired", 0]);
    expect(await answered("taken")).toEqual([409, "conflict", 0]);
  });
});

it("offers no passkey to an account that has as many as it may, or is gone", async () => {
  const answered = (result: "full" | "gone") =>
    openAccount({ offerPasskey: async () => result }).post("/passkeys/offer");
  expect(await answered("full")).toEqual([409, "passkeys_full"]);
  expect(await answered("gone")).toEqual([404, "not_found"]);
});
