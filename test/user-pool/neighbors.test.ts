import { beforeEach, describe, expect, it } from "vitest";
import {
  addPasskey,
  findSessionPasskey,
  listPasskeys,
  listPasskeySessions,
  listRecoveries,
  removePasskey,
} from "../../db/queries/identity/passkeys.ts";
import { undoAccountChange } from "../../db/queries/accounts/undo-change.ts";
import { DAY_MS, type DriverId } from "../../db/shapes/units.ts";
import { poolUser } from "../support/pool-user.ts";
import { NOW, openPool, OTHER, OTHER_PHONE, OWNER, PHONE, type Pool } from "./pool-harness.ts";

const owner = poolUser({ id: OWNER, phoneNumber: PHONE });
const neighbor = poolUser({ id: OTHER, phoneNumber: OTHER_PHONE });

let at: Pool;
beforeEach(() => {
  at = openPool();
  for (const { id, phoneNumber } of [owner, neighbor]) {
    at.run(
      `INSERT INTO pool_users (id, phone_number, phone_verified, status, enabled, password, attributes, sms_mfa, software_token_mfa, totp_used_step, created_at)
       VALUES (?, ?, 1, 'CONFIRMED', 1, 'sealed', '{}', 0, 0, 0, 0)`,
      id,
      phoneNumber,
    );
    at.run(
      `INSERT INTO pool_passkeys (id, user_id, credential_id, public_key, counter, transports, name, created_at)
       VALUES (?, ?, ?, '', 0, '[]', 'phone', 2)`,
      keyOf(id),
      id,
      keyOf(id),
    );
    at.run(
      `INSERT INTO pool_sessions (origin_jti, user_id, created_at, expires_at, passkey_id) VALUES (?, ?, 1, ?, ?)`,
      sessionOf(id),
      id,
      NOW + DAY_MS,
      keyOf(id),
    );
    at.run(
      `INSERT INTO pool_notices (id, user_id, kind, phone_number, language, changed_at, expires_at) VALUES (?, ?, 'recovery', ?, 'en', 1, ?)`,
      `notice of ${id}`,
      id,
      phoneNumber,
      NOW + DAY_MS,
    );
    at.run(
      `INSERT INTO pool_codes (user_id, purpose, hash, expires_at, tries_left, sent_at, window_started_at, sent_in_window)
       VALUES (?, 'sign_in', ?, ?, 3, 1, 1, 1)`,
      id,
      `hash of ${id}`,
      NOW + DAY_MS,
    );
  }
});

/** An undo takes back all of these. */
const TABLES = ["pool_passkeys", "pool_sessions", "pool_notices", "pool_codes"];

const keyOf = (id: DriverId) => `key of ${id}`;
const sessionOf = (id: DriverId) => `session of ${id}`;
const rowsOf = (table: string, id: DriverId) => at.rows(`SELECT * FROM ${table} WHERE user_id = '${id}'`);
const rest = () => [
  at.rows(`SELECT * FROM pool_users WHERE id = '${OTHER}'`),
  ...TABLES.map((table) => rowsOf(table, OTHER)),
];
const ofOwner = { user: owner, originJti: sessionOf(OWNER), now: NOW };

describe("an account beside another one", () => {
  it("has its own passkeys, sessions and recoveries, and reads no others", async () => {
    const { db } = at.deps;
    expect((await listPasskeys(db, OWNER)).map(({ id }) => id)).toEqual([keyOf(OWNER)]);
    expect(await listPasskeySessions(db, OWNER, NOW)).toEqual([sessionOf(OWNER)]);
    expect((await listRecoveries(db, OWNER, NOW)).map(({ userId }) => userId)).toEqual([OWNER]);
    const foreign = { originJti: sessionOf(OTHER), userId: OWNER };
    expect(await findSessionPasskey(db, foreign)).toBeNull();
  });

  it("removes its own passkey and ends the sessions of that one, and leaves the other's alone", async () => {
    const before = rest();
    expect(await removePasskey(at.deps.db, keyOf(OTHER), ofOwner)).toBe(false);
    expect(await removePasskey(at.deps.db, keyOf(OWNER), ofOwner)).toBe(true);
    expect(rest()).toEqual(before);
  });

  it("changes nothing in a session that is the other's", async () => {
    const foreign = { ...ofOwner, originJti: sessionOf(OTHER) };
    const [passkey] = await listPasskeys(at.deps.db, OWNER);
    if (!passkey) throw new Error("the owner has a passkey");
    const added = { ...passkey, id: "new", credentialId: "new" };
    expect(await removePasskey(at.deps.db, keyOf(OWNER), foreign)).toBe(false);
    expect(await addPasskey(at.deps.db, added, { ...foreign, limit: 5 })).toBe(false);
  });

  it("is given back to its owner by a link, and the other stays as it was", async () => {
    const before = rest();
    const change = { id: `notice of ${OWNER}`, userId: OWNER, phoneNumber: PHONE, changedAt: 1 };
    expect(await undoAccountChange(at.deps.db, change, NOW)).toBe("undone");
    expect(rest()).toEqual(before);
    expect(TABLES.map((table) => rowsOf(table, OWNER).length)).toEqual([0, 1, 0, 0]);
    expect(rowsOf("pool_sessions", OWNER)).toMatchObject([{ revoked_at: NOW }]);
  });

  it("counts its own passkeys against the limit alone", async () => {
    const [passkey] = await listPasskeys(at.deps.db, OWNER);
    if (!passkey) throw new Error("the owner has a passkey");
    const added = { ...passkey, id: "new", credentialId: "new" };
    expect(await addPasskey(at.deps.db, added, { ...ofOwner, limit: 2 })).toBe(true);
  });
});
