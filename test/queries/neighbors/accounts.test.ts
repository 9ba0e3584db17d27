import { describe, expect, it } from "vitest";
import type { Db } from "../../../db/client.ts";
import {
  claimNumber,
  deleteAccount,
  finishAccountChange,
  loadAccountChange,
  noteTriedChanges,
  postponeAccountChange,
} from "../../../db/queries/accounts/account-changes.ts";
import { eraseDriverData, loadDriverData } from "../../../db/queries/accounts/account-deletion.ts";
import { countNotices, listUntoldNotices } from "../../../db/queries/accounts/account-notices.ts";
import {
  deletedChatContactsOf,
  loadChatIdentifier,
  loadChatIdentifiers,
  recordChatIdentifier,
} from "../../../db/queries/accounts/chat-contacts.ts";
import { loadEndedSessions, loadSessionsAndObjects } from "../../../db/queries/accounts/ended-sessions.ts";
import {
  findDriverLanguage,
  findPlatformEmail,
  loadDriver,
  loadRevision,
  markPreferredPhoneVerified,
  updateDriver,
} from "../../../db/queries/accounts/drivers.ts";
import { addSecurityEvent, listSecurityEvents } from "../../../db/queries/accounts/security-events.ts";
import { undoAccountChange } from "../../../db/queries/accounts/undo-change.ts";
import {
  claimDriverObject,
  forgetDriverObject,
  listDriverObjects,
} from "../../../db/queries/fleet/driver-objects.ts";
import { nonceProof } from "../../../db/queries/identity/one-time-proofs.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import {
  NEIGHBOR,
  NOW,
  OWNER,
  PREFERRED_PHONE,
  expectOwnChange,
  expectOwnRead,
  noticeOf,
  only,
  phoneOf,
  type Furnish,
} from "./house.ts";

const event = { event: "sign_in", network: "home", browser: null, system: null, country: null } as const;

describe("a driver beside a neighbor reads of the own account alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    ["changes that are to be texted", (db) => listUntoldNotices(db, OWNER)],
    ["how many changes there were", (db) => countNotices(db, { userId: OWNER, kind: "recovery", since: 0 })],
    ["the change to follow", (db) => loadAccountChange(db, OWNER)],
    ["the identifier at the chat", (db) => loadChatIdentifier(db, OWNER)],
    ["the same, of several", (db) => loadChatIdentifiers(db, [OWNER])],
    ["live sessions and objects", (db) => loadSessionsAndObjects(db, [OWNER], NOW)],
    [
      "ended sessions to follow",
      (db) => loadEndedSessions(db, [OWNER]),
      ({ run }) => {
        run(`UPDATE pool_notices SET told_at = 1`);
        run(`UPDATE account_changes SET is_deleted = 0`);
      },
    ],
    [
      "the switch, where the neighbor's account is shut",
      (db) => loadDriver(db, OWNER),
      ({ run }, id) => id === NEIGHBOR && run(`UPDATE pool_users SET enabled = 0 WHERE id = ?`, id),
    ],
    ["security events", (db) => listSecurityEvents(db, OWNER, { after: null, limit: 9 })],
    [
      "a further page of them",
      (db) => listSecurityEvents(db, OWNER, { after: { lastAt: NOW + 1, id: 9 }, limit: 9 }),
    ],
    ["the objects", (db) => listDriverObjects(db, OWNER)],
    ["the language", (db) => findDriverLanguage(db, OWNER)],
    ["the revision", (db) => loadRevision(db, OWNER)],
    ["the address at the platform", (db) => findPlatformEmail(db, OWNER)],
    [
      "when a sign-in ended",
      (db) => loadChatIdentifier(db, OWNER),
      only(NEIGHBOR, ({ run }) =>
        run(`UPDATE pool_sessions SET revoked_at = ? WHERE user_id = ?`, NOW, NEIGHBOR),
      ),
    ],
    [
      "what became of texts to the preferred number",
      (db) => loadDriverData(db, OWNER),
      only(NEIGHBOR, ({ add, run }) => {
        run(`UPDATE users SET preferred_phone_number = '+15550100888' WHERE id = ?`, NEIGHBOR);
        add("text_failures", { phone_number: "+15550100888", failures: 1, problem: "other" });
      }),
    ],
    ["all data", (db) => loadDriverData(db, OWNER)],
  ])("%s", async (_what, read, furnish) => {
    expect.hasAssertions();
    await expectOwnRead(read, furnish);
  });
});

describe("a driver beside a neighbor changes the own account alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    [
      "takes another number",
      (db) => claimNumber(db, { userId: OWNER, phoneNumber: "+15550100444", now: NOW }),
    ],
    [
      "opens the chat anew",
      (db) => recordChatIdentifier(db, { driverId: OWNER, identifier: "new", now: NOW }),
    ],
    ["has the chat's contacts deleted", async (db) => deletedChatContactsOf(db, OWNER)],
    ["takes another name", (db) => updateDriver(db, OWNER, { name: "Ana Lima" })],
    [
      "proves the preferred number",
      (db) => {
        const proof = nonceProof(db, { nonce: OWNER, expiresAt: NOW });
        return markPreferredPhoneVerified(db, OWNER, { number: PREFERRED_PHONE, proof });
      },
    ],
    [
      "takes the neighbor's name",
      (db) => updateDriver(db, OWNER, { name: "Ana Souza" }),
      only(OWNER, ({ run }) => run(`UPDATE users SET name = 'Rui' WHERE id = ?`, OWNER)),
    ],
    ["gets a security event", (db) => addSecurityEvent(db, { ...event, userId: OWNER, now: NOW })],
    [
      "gets a security event, where the neighbor has as many as are kept",
      (db) => addSecurityEvent(db, { ...event, userId: OWNER, now: NOW }),
      only(NEIGHBOR, ({ add }) => {
        for (let nth = 0; nth < 200; nth += 1) {
          const row = { user_id: NEIGHBOR, hour: Math.floor(NOW / HOUR_MS), network: `network ${nth}` };
          add("security_events", { ...row, event: "sign_in", last_at: NOW + 1 });
        }
      }),
    ],
    ["gets an object", (db) => claimDriverObject(db, { driverId: OWNER, objectName: "new", since: NOW })],
    ["has a change followed", (db) => finishAccountChange(db, { userId: OWNER, revision: 0 })],
    ["has a change that failed", (db) => noteTriedChanges(db, [{ userId: OWNER, revision: 0 }], NOW)],
    ["has a change followed later", (db) => postponeAccountChange(db, { userId: OWNER, revision: 0 }, NOW)],
    [
      "is erased with a customer that the neighbor has too",
      (db) => eraseDriverData(db, OWNER, { customerId: "customer", now: NOW }),
      ({ run }, id) => run(`UPDATE stripe_customers SET customer_id = 'customer' WHERE driver_id = ?`, id),
    ],
    [
      "undoes a change",
      (db) => {
        const change = { id: noticeOf(OWNER), userId: OWNER, phoneNumber: phoneOf(OWNER) };
        return undoAccountChange(db, { ...change, changedAt: NOW - HOUR_MS }, NOW);
      },
      // A passkey was removed since, and one added.
      ({ add }, id) => {
        const passkey = { user_id: id, transports: "[]" };
        add("pool_passkeys", { ...passkey, id: `gone ${id}`, credential_id: `gone ${id}`, removed_at: NOW });
        add("pool_passkeys", { ...passkey, id: `new ${id}`, credential_id: `new ${id}`, created_at: NOW });
      },
    ],
    ["loses an object", (db) => forgetDriverObject(db, { driverId: OWNER, objectName: "object" })],
    ["deletes the account", (db) => deleteAccount(db, OWNER, NOW)],
    ["is erased", (db) => eraseDriverData(db, OWNER, { customerId: `customer of ${OWNER}`, now: NOW })],
  ])("%s", async (_what, act, furnish) => {
    expect.hasAssertions();
    await expectOwnChange(act, furnish);
  });
});
