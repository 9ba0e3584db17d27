import { describe, expect, it } from "vitest";
import type { Db } from "../../../db/client.ts";
import { codeProof, consumeCodeTry, isCodeActive } from "../../../db/queries/identity/codes.ts";
import { changeFactors } from "../../../db/queries/identity/factors.ts";
import { nonceProof } from "../../../db/queries/identity/one-time-proofs.ts";
import {
  addPasskey,
  findSessionPasskey,
  listPasskeys,
  listPasskeySessions,
  listRecoveries,
  removePasskey,
  renamePasskey,
} from "../../../db/queries/identity/passkeys.ts";
import { confirmPendingPhone } from "../../../db/queries/identity/phone.ts";
import {
  addPoolSession,
  findLiveSession,
  loadPoolSession,
} from "../../../db/queries/identity/pool-sessions.ts";
import {
  consumeTotpStep,
  findSignInUser,
  loadPoolAccount,
  patchPoolAttributes,
  replacePoolSeal,
  setPendingPhone,
  updatePoolUser,
  verifyPhone,
} from "../../../db/queries/identity/pool-users.ts";
import {
  confirmRegistration,
  registrationStatements,
  sweepUnconfirmed,
} from "../../../db/queries/identity/registrations.ts";
import {
  listLiveSessions,
  replacePassword,
  revokePoolSession,
  revokePoolSessions,
} from "../../../db/queries/identity/sessions.ts";
import { DAY_MS, type DriverId } from "../../../db/shapes/units.ts";
import { poolUser } from "../../support/pool-user.ts";
import {
  NEIGHBOR,
  NOW,
  OWNER,
  PENDING_PHONE,
  expectForeign,
  expectOwnChange,
  expectOwnRead,
  keyOf,
  noticeOf,
  only,
  openHouse,
  phoneOf,
  sessionOf,
  type Furnish,
} from "./house.ts";
import { sql } from "drizzle-orm";

const code = { userId: OWNER, purpose: "reset" } as const;
const attempt = { network: "network", most: 5, now: NOW };
const owner = poolUser({ id: OWNER, phoneNumber: phoneOf(OWNER) });
const password = { password: "new" };
const proofOf = (db: Db) => nonceProof(db, { nonce: "new", expiresAt: NOW + DAY_MS });
const newSession = {
  originJti: `new ${sessionOf(OWNER)}`,
  userId: OWNER,
  createdAt: NOW,
  expiresAt: NOW + DAY_MS,
  revokedAt: null,
  keyId: null,
  generation: 0,
  rotatedAt: NOW,
  renewalHash: null,
  lastSeenAt: NOW,
  browser: null,
  system: null,
  country: null,
  passkeyId: null,
};
const newPasskey = (id: DriverId) => ({
  id: "new",
  userId: id,
  credentialId: "new",
  publicKey: "",
  counter: 0,
  transports: [],
  name: "laptop",
  createdAt: NOW,
  lastUsedAt: null,
  removedAt: null,
});
const confirm = (db: Db) =>
  confirmPendingPhone(db, { userId: OWNER, phoneNumber: PENDING_PHONE, keep: sessionOf(OWNER), now: NOW });

const register = (db: Db) => {
  const registration = { password: "new", attributes: {}, createdAt: NOW };
  return db.batch(registrationStatements(db, { userId: OWNER, network: "new", ...registration }, sql`1`));
};

const unproved: Furnish = ({ run }, id) => run(`UPDATE pool_users SET phone_verified = 0 WHERE id = ?`, id);
const unconfirmed: Furnish = ({ run }, id) =>
  run(`UPDATE pool_users SET status = 'UNCONFIRMED' WHERE id = ?`, id);
/** Only one of them changed the number that is confirmed now. */
const formerNumberOf =
  (whose: DriverId): Furnish =>
  ({ run }, id) =>
    id === whose && run(`UPDATE pool_notices SET phone_number = ? WHERE id = ?`, PENDING_PHONE, noticeOf(id));

describe("an account beside a neighbor reads its own alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    ["the passkeys", (db) => listPasskeys(db, OWNER)],
    ["sessions of passkeys", (db) => listPasskeySessions(db, OWNER, NOW)],
    ["recoveries", (db) => listRecoveries(db, OWNER, NOW)],
    ["live sessions", (db) => listLiveSessions(db, OWNER, NOW)],
    ["the account for an export", (db) => loadPoolAccount(db, OWNER)],
    ["whether there is a code", (db) => isCodeActive(db, code, attempt)],
    [
      "tries of the network, where the neighbor's are used up",
      (db) => isCodeActive(db, code, attempt),
      ({ run }, id) => id === NEIGHBOR && run(`UPDATE pool_code_tries SET tries = 5 WHERE user_id = ?`, id),
    ],
    ["locks of a sign-in", (db) => findSignInUser(db, OWNER, { decoyId: "none", guessers: [], now: NOW })],
    [
      "a session and its account",
      (db) => loadPoolSession(db, { originJti: sessionOf(OWNER), userId: OWNER }),
    ],
    [
      "whether a passkey must sign in, which the neighbor has",
      (db) => addPoolSession(db, newSession, owner, { needsNoPasskey: true }),
      ({ run }, id) => id === OWNER && run(`DELETE FROM pool_passkeys WHERE user_id = ?`, id),
    ],
  ])("%s", async (_what, read, furnish) => {
    expect.hasAssertions();
    await expectOwnRead(read, furnish);
  });
});

describe("an account beside a neighbor changes its own alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    ["tries a code", (db) => consumeCodeTry(db, code, attempt)],
    ["uses a code up", async (db) => codeProof(db, code, "hash").use],
    ["changes second factors", (db) => changeFactors(db, owner, { smsMfa: true }, NOW)],
    [
      "adds a passkey, where no more than two are allowed",
      (db) => {
        const change = { user: owner, originJti: sessionOf(OWNER), now: NOW, limit: 2 };
        return addPasskey(db, newPasskey(OWNER), change);
      },
    ],
    [
      "removes a passkey",
      (db) => removePasskey(db, keyOf(OWNER), { user: owner, originJti: sessionOf(OWNER), now: NOW }),
    ],
    [
      "removes a passkey that the neighbor's session names",
      (db) => removePasskey(db, keyOf(OWNER), { user: owner, originJti: sessionOf(OWNER), now: NOW }),
      ({ run }, id) =>
        id === NEIGHBOR && run(`UPDATE pool_sessions SET passkey_id = ? WHERE user_id = ?`, keyOf(OWNER), id),
    ],
    ["confirms a new number", confirm],
    ["returns to a number", confirm, formerNumberOf(OWNER)],
    ["confirms a number that was the neighbor's", confirm, formerNumberOf(NEIGHBOR)],
    ["signs in", (db) => addPoolSession(db, newSession, owner)],
    ["registers", register],
    [
      "confirms a registration",
      (db) => {
        const registration = { ...password, userId: OWNER, network: "network", attributes: {}, createdAt: 0 };
        return confirmRegistration(db, { userId: OWNER, registration, proof: proofOf(db) });
      },
      unconfirmed,
    ],
    [
      "registers, where the neighbor has as many registrations as are kept",
      register,
      only(NEIGHBOR, ({ add }) => {
        for (let nth = 0; nth < 40; nth += 1) {
          const row = { user_id: NEIGHBOR, network: `network ${nth}`, attributes: "{}" };
          add("pool_registrations", { ...row, created_at: NOW + 1 });
        }
      }),
    ],
    ["is changed", (db) => updatePoolUser(db, OWNER, { totpName: "phone" })],
    ["proves the number", (db) => verifyPhone(db, OWNER, proofOf(db)), unproved],
    ["enters a new number", async (db) => setPendingPhone(db, OWNER, "+15550100444", sql`1`)],
    ["changes attributes", (db) => patchPoolAttributes(db, OWNER, { name: "Ana" })],
    ["uses an authenticator's code up", (db) => consumeTotpStep(db, OWNER, 7)],
    ["signs out everywhere", (db) => revokePoolSessions(db, { userId: OWNER, now: NOW })],
    [
      "sets a password",
      (db) => replacePassword(db, password, { userId: OWNER, phoneNumber: phoneOf(OWNER), now: NOW }),
    ],
    [
      "has a secret sealed anew",
      (db) => replacePoolSeal(db, OWNER, { column: "password", from: "", to: "new" }),
    ],
  ])("%s", async (_what, act, furnish) => {
    expect.hasAssertions();
    await expectOwnChange(act, furnish);
  });

  it("loses registrations once it is gone, though there is a neighbor", async () => {
    const at = openHouse([NEIGHBOR]);
    at.add("pool_registrations", { user_id: OWNER, network: "network", attributes: "{}" });
    const theirs = at.rowsOf(NEIGHBOR);
    await sweepUnconfirmed(at.db, { before: NOW, now: NOW });
    expect([at.rowsOf(OWNER), at.rowsOf(NEIGHBOR)]).toEqual([[], theirs]);
  });

  it("ends no session where a neighbor has the number by now", async () => {
    const at = openHouse([NEIGHBOR, OWNER]);
    const change = { userId: OWNER, phoneNumber: phoneOf(NEIGHBOR), keep: sessionOf(OWNER), now: NOW };
    const before = await listLiveSessions(at.db, OWNER, NOW);
    expect(await confirmPendingPhone(at.db, change)).toBe("taken");
    expect(await listLiveSessions(at.db, OWNER, NOW)).toEqual(before);
  });
});

describe("an account comes to nothing with a neighbor's", () => {
  it.each<[string, (db: Db, id: DriverId) => Promise<unknown>]>([
    [
      "session that is looked up",
      (db, id) => findLiveSession(db, { originJti: sessionOf(NEIGHBOR), userId: id }, NOW),
    ],
    [
      "session that is renewed",
      async (db, id) => (await loadPoolSession(db, { originJti: sessionOf(NEIGHBOR), userId: id })).session,
    ],
    [
      "session that is ended",
      (db, id) => revokePoolSession(db, { originJti: sessionOf(NEIGHBOR), userId: id, now: NOW }),
    ],
    [
      "session that a passkey signed in",
      (db, id) => findSessionPasskey(db, { originJti: sessionOf(NEIGHBOR), userId: id }),
    ],
    [
      "session when a passkey is added",
      (db, id) => {
        const user = { id, phoneNumber: phoneOf(id) };
        return addPasskey(db, newPasskey(id), { user, originJti: sessionOf(NEIGHBOR), now: NOW, limit: 5 });
      },
    ],
    [
      "passkey that is removed",
      (db, id) => {
        const user = { id, phoneNumber: phoneOf(id) };
        return removePasskey(db, keyOf(NEIGHBOR), { user, originJti: sessionOf(id), now: NOW });
      },
    ],
    [
      "passkey that is renamed",
      (db, id) => renamePasskey(db, { id: keyOf(NEIGHBOR), userId: id, name: "new" }),
    ],
    [
      "number when second factors change",
      (db, id) => changeFactors(db, { id, phoneNumber: phoneOf(NEIGHBOR) }, { smsMfa: true }, NOW),
    ],
    [
      "number when a password is set",
      (db, id) => replacePassword(db, password, { userId: id, phoneNumber: phoneOf(NEIGHBOR), now: NOW }),
    ],
  ])("%s", async (_what, act) => {
    expect.hasAssertions();
    await expectForeign(act);
  });
});
