import { describe, expect, it } from "vitest";
import type { Db } from "../../../db/client.ts";
import {
  claimNumber,
  deleteAccount,
  loadAccountChange,
} from "../../../db/queries/accounts/account-changes.ts";
import { eraseDriverData, loadDriverData } from "../../../db/queries/accounts/account-deletion.ts";
import { countNotices, listUntoldNotices } from "../../../db/queries/accounts/account-notices.ts";
import {
  deletedChatContactsOf,
  loadChatIdentifier,
  recordChatIdentifier,
} from "../../../db/queries/accounts/chat-contacts.ts";
import {
  loadDriver,
  markPreferredPhoneVerified,
  updateDriver,
} from "../../../db/queries/accounts/drivers.ts";
import { addSecurityEvent, listSecurityEvents } from "../../../db/queries/accounts/security-events.ts";
import { undoAccountChange } from "../../../db/queries/accounts/undo-change.ts";
import { forgetDriverObject, listDriverObjects } from "../../../db/queries/fleet/driver-objects.ts";
import { nonceProof } from "../../../db/queries/identity/one-time-proofs.ts";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import {
  expectOwnChange,
  expectOwnRead,
  NEIGHBOR,
  NOW,
  noticeOf,
  OWNER,
  phoneOf,
  PREFERRED_PHONE,
  type Furnish,
} from "./house.ts";

const event = { event: "sign_in", network: "home", browser: null, system: null, country: null } as const;

describe("a driver beside a neighbor reads of the own account alone", () => {
  it.each<[string, (db: Db) => Promise<unknown>, Furnish?]>([
    ["changes that are to be texted", (db) => listUntoldNotices(db, OWNER)],
    ["how many changes there were", (db) => countNotices(db, { userId: OWNER, kind: "recovery", since: 0 })],
    ["the change to follow", (db) => loadAccountChange(db, OWNER)],
    ["the identifier at the chat", (db) => loadChatIdentifier(db, OWNER)],
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
    ["gets a security event", (db) => addSecurityEvent(db, { ...event, userId: OWNER, now: NOW })],
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
