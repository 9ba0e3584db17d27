import { expect, it } from "vitest";
import { recordChatIdentifier } from "../../db/queries/accounts/chat-contacts.ts";
import { changeFilters } from "../../db/queries/accounts/drivers.ts";
import { addErrorReport } from "../../db/queries/operators/error-groups.ts";
import { claimPlatformAccount, takePlatformAccount } from "../../db/queries/fleet/platform-accounts.ts";
import { attachFirstIntent } from "../../db/queries/payments/new-payments.ts";
import { saveCustomerId, storeFirstCustomerId } from "../../db/queries/payments/payments.ts";
import { noteNotice } from "../../db/queries/payments/renewal-notices.ts";
import { insertInvitation, loadInviteCode, noteDevice } from "../../db/queries/rewards/invitations.ts";
import { openDb, type Db } from "../../db/client.ts";
import { driverId, warehouseId } from "../../db/shapes/units.ts";
import { permissiveFilters, permissiveWarehouseFilter } from "../support/sandbox-client.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const GONE = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
const NOW = Date.parse("2026-11-21T12:00:00Z");
const filters = permissiveFilters([permissiveWarehouseFilter(warehouseId.parse("w1"))]);
const claim = { accountId: "account", driverId: GONE, objectName: "object", linkedAt: NOW };
const report = {
  id: "error",
  caller: "page",
  name: "TypeError",
  message: "broken",
  place: "here",
  requestId: "request",
  stack: null,
  version: "1",
  at: NOW,
} as const;

/** Calls of a driver that were under way while the account was deleted, and their answers. */
const CALLS: [call: string, run: (db: Db) => Promise<unknown>, answer: unknown][] = [
  [
    "saves filters",
    (db) => changeFilters(db, GONE, { filters, version: 0, saveId: "s", listed: null }),
    null,
  ],
  ["pays first", (db) => storeFirstCustomerId(db, GONE, "cus_1"), null],
  ["pays anew", (db) => saveCustomerId(db, GONE, "cus_1"), false],
  [
    "prepares the first payment",
    (db) => attachFirstIntent(db, { id: "p", driverId: GONE }, { intentId: "pi_1", customerId: "cus_1" }),
    "other_customer",
  ],
  [
    "shows a notice",
    (db) => noteNotice(db, { source: "s", channel: "page", driverId: GONE, at: NOW }),
    undefined,
  ],
  ["links", (db) => claimPlatformAccount(db, claim), claim],
  ["links an account that another lost", (db) => takePlatformAccount(db, claim), undefined],
  ["uses a browser", (db) => noteDevice(db, { driverId: GONE, deviceHash: "hash", now: NOW }), undefined],
  ["gets a link to invite by", (db) => loadInviteCode(db, GONE, "fresh").catch(() => "failed"), "failed"],
  [
    "invites a friend",
    (db) => insertInvitation(db, { id: "i", inviterId: GONE, phoneNumber: "+12125550100", now: NOW }),
    undefined,
  ],
  [
    "opens the chat",
    (db) => recordChatIdentifier(db, { driverId: GONE, identifier: "chat", now: NOW }),
    undefined,
  ],
  ["reports an error", (db) => addErrorReport(db, { ...report, driverId: GONE }), undefined],
];

it.each(CALLS)(
  "stores nothing of a driver whose account was deleted meanwhile: %s",
  async (_call, run, answer) => {
    const database = migratedDatabase();
    expect(await run(openDb(bindD1(database)))).toEqual(answer);
    const tables = database.prepare(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
    const rows = tables.flatMap(({ name }) => database.prepare(`SELECT * FROM "${String(name)}"`).all());
    expect(JSON.stringify(rows)).not.toContain(GONE);
  },
);
