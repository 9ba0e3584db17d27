import { DatabaseSync, type SQLInputValue } from "node:sqlite";
import { expect } from "vitest";
import { openDb, type Db } from "../../../db/client.ts";
import { ALL_DURATIONS, encodeDurations } from "../../../db/shapes/work/durations.ts";
import { DAY_MS, driverId, HOUR_MS, type DriverId } from "../../../db/shapes/units.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";

export const NOW = Date.parse("2026-11-21T12:00:00Z");
export const OWNER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");
export const NEIGHBOR = driverId.parse("11111111-1111-4111-8111-111111111111");

const PHONES = new Map([
  [OWNER, "+15550100123"],
  // The first of all in every index.
  [NEIGHBOR, "+15550100012"],
]);
/** Numbers that both drivers entered, and neither signs in with. */
export const PENDING_PHONE = "+15550100555";
export const PREFERRED_PHONE = "+15550100777";

export const phoneOf = (id: DriverId) => PHONES.get(id) ?? "";
export const keyOf = (id: DriverId) => `key of ${id}`;
export const sessionOf = (id: DriverId) => `session of ${id}`;
export const noticeOf = (id: DriverId) => `notice of ${id}`;
export const paymentOf = (id: DriverId) => `payment of ${id}`;
export const openPaymentOf = (id: DriverId) => `open payment of ${id}`;
export const priceOf = (id: DriverId) => `price of ${id}`;
export const consentOf = (id: DriverId) => `payment-${paymentOf(id)}`;

type Row = Record<string, SQLInputValue>;

/** A driver's rows, a few of each table: where two drivers may have the same word, hash, day or name, both have it. */
function rowsFor(id: DriverId): [table: string, row: Row][] {
  const sums = {
    price_cents: 4987,
    cut_cents: 0,
    points: 0,
    points_cents: 0,
    fee_cents: 35,
    total_cents: 5022,
  };
  const paid = { driver_id: id, plan: "7days", currency: "USD", refunded_cents: 0, revision: 1, ...sums };
  const agreed = { plan: "7days", cap_cents: 5022, currency: "USD" };
  const blockRow = { warehouse_id: "W1", service_type: "other", currency: "USD", captured_at: NOW };
  return [
    [
      "users",
      {
        id,
        phone_number: phoneOf(id),
        name: "Ana Souza",
        preferred_phone_number: PREFERRED_PHONE,
        preferred_phone_verified: 1,
        language: id === OWNER ? "es" : "pt",
        mode: "lucrative",
        switched_on: 1,
        referral: "jornada",
        human_timezone: "America/New_York",
        flex_email: `${id}@example.com`,
        revision: 1,
      },
    ],
    [
      "pool_users",
      {
        id,
        phone_number: phoneOf(id),
        phone_verified: 1,
        pending_phone: PENDING_PHONE,
        status: "CONFIRMED",
        enabled: 1,
        attributes: "{}",
      },
    ],
    [
      "pool_sessions",
      { origin_jti: sessionOf(id), passkey_id: keyOf(id), expires_at: NOW + DAY_MS, last_seen_at: NOW },
    ],
    ["pool_sessions", { origin_jti: `second ${sessionOf(id)}`, expires_at: NOW + DAY_MS, last_seen_at: NOW }],
    ["pool_sessions", { origin_jti: `former ${sessionOf(id)}`, expires_at: NOW - DAY_MS }],
    [
      "pool_passkeys",
      { id: keyOf(id), credential_id: keyOf(id), transports: "[]", name: "phone", created_at: 2 },
    ],
    [
      "pool_notices",
      {
        id: noticeOf(id),
        kind: "recovery",
        phone_number: phoneOf(id),
        language: "en",
        changed_at: NOW - HOUR_MS,
        expires_at: NOW + DAY_MS,
      },
    ],
    [
      "pool_codes",
      { purpose: "reset", hash: "hash", expires_at: NOW + HOUR_MS, tries_left: 3, window_started_at: NOW },
    ],
    ["pool_code_tries", { purpose: "reset", network: "network", hash: "hash", tries: 1 }],
    ["pool_registrations", { network: "network", password: "sealed", attributes: "{}" }],
    ["chat_contacts", { identifier: `contact of ${id}` }],
    ["driver_name_words", { word: "souza" }],
    [
      "security_events",
      { id: id === OWNER ? 1 : 2, event: "sign_in", hour: 1, network: "network", times: 1, last_at: NOW },
    ],
    ["filters", { version: 1, save_id: "save", schedule: "[]" }],
    [
      "warehouse_filters",
      { warehouse_id: "W1", selected: 1, min_price_cents: 5000, durations: encodeDurations(ALL_DURATIONS) },
    ],
    [
      "service_credits",
      { source: `payment:${paymentOf(id)}:settled`, duration_ms: 7 * DAY_MS, at: NOW - DAY_MS },
    ],
    ["lost_days", { date: "2026-11-20", lost_ms: HOUR_MS, given_ms: 0, at: NOW - DAY_MS }],
    ["blocks_won", { block_id: "B1", offer_id: "O1", attempt_id: "A1", ...blockRow }],
    ["won_days", { day: 20_000, currency: "USD", blocks: 1 }],
    ["platform_accounts", { account_id: `account of ${id}`, object_name: "object" }],
    ["driver_objects", { object_name: "object" }],
    ["heartbeats", { object_name: "object" }],
    [
      "payments",
      { id: paymentOf(id), intent_id: `intent of ${id}`, status: "settled", settled_at: NOW, ...paid },
    ],
    [
      "payments",
      {
        id: openPaymentOf(id),
        intent_id: `open intent of ${id}`,
        status: "open",
        ...paid,
        points: 20,
        created_at: NOW,
      },
    ],
    [
      "payment_refunds",
      { id: `refund of ${id}`, payment_id: paymentOf(id), kind: "refund", cents: 100, is_effective: 1 },
    ],
    [
      "stripe_events",
      {
        id: `event of ${id}`,
        type: "payment_intent.payment_failed",
        intent_id: `intent of ${id}`,
        received_at: NOW,
      },
    ],
    ["stripe_customers", { customer_id: `customer of ${id}` }],
    ["point_entries", { source: `payment:${paymentOf(id)}:points`, points: 500 }],
    [
      "price_cuts",
      { id: priceOf(id), kind: "special_price", plan: "7days", price_cents: 4000, ends_at: NOW + DAY_MS },
    ],
    ["raffle_entries", { promotion_id: "raffle", payment_id: paymentOf(id) }],
    ["service_news", { source: `change of ${id}`, kind: "paid" }],
    ["driver_news", { source: `news of ${id}`, kind: "spot_opened", subject: "city", until: NOW }],
    [
      "renewals",
      {
        ...agreed,
        status: "on",
        consent_id: consentOf(id),
        method_id: "method",
        method_fingerprint: "print",
        due_at: NOW - 1,
        revision: 1,
      },
    ],
    ["renewal_consents", { ...agreed, id: consentOf(id), at: NOW - DAY_MS, words: 1 }],
    ["spots", { city: "city", status: "held", check_at: NOW }],
    ["invitations", { id: `invitation of ${id}`, inviter_id: id, phone_number: "+15550100333" }],
    ["invitations", { id: `friend of ${id}`, inviter_id: "another", friend_id: id }],
    ["invited_numbers", { phone_number: phoneOf(id), texted_at: NOW }],
    ["invite_codes", { code: `code of ${id}` }],
    ["announcement_retries", { announcement_id: "line", pending: 2, tries: 1 }],
    ["sent_texts", { id: `text of ${id}`, account: id, phone_number: phoneOf(id), status: "delivered" }],
    ["text_failures", { phone_number: phoneOf(id), failures: 1, problem: "other" }],
    ["text_replies", { id: `start of ${id}`, phone_number: phoneOf(id), word: "start" }],
    ["guesses", { subject: id, wrong: 3, locked_until: NOW + HOUR_MS }],
    ["guesses", { subject: `${id} browser`, wrong: 2 }],
    ["pool_attempts", { subject: `change ${id}`, failures: 2, locked_until: NOW + HOUR_MS }],
    ["payment_calls", { subject: `look:${id}`, window_ends_at: NOW + HOUR_MS, calls: 1 }],
  ];
}

/** Rows that are nobody's. */
const SHARED: [table: string, row: Row][] = [
  ["promotions", { id: "raffle", plan: "7days", ends_at: NOW + DAY_MS, winners: 1 }],
  ["announcements", { id: "line", audience: "all" }],
  ["pool_nonces", { nonce: "used" }],
];

const NUMBERED = new Set(["id", "receipt_number", "receiptNumber", "rowId"]);
const OWNERS = ["driver_id", "user_id", "inviter_id"];

/** More rows of a case, or a change of those that are there. */
export type Furnish = (house: House, id: DriverId) => void;

/** More rows of one driver, or a change of theirs. */
export const only =
  (whose: DriverId, furnish: (house: House) => void): Furnish =>
  (house, id) => {
    if (id === whose) furnish(house);
  };

/** Houses without what a case adds, as bytes. */
const houses = new Map<string, Uint8Array>();

/** A database in which each of these drivers has rows in all tables that name one. */
export function openHouse(ids: readonly DriverId[], furnish: Furnish = () => {}): House {
  const database = new DatabaseSync(":memory:");
  const built = houses.get(ids.join()) ?? buildHouse(ids).serialize();
  houses.set(ids.join(), built);
  database.deserialize(built);
  const house = {
    add: (table: string, row: Row) => addRow(database, table, row),
    db: openDb(bindD1(database)),
    run: (query: string, ...params: SQLInputValue[]) => void database.prepare(query).run(...params),
    /** All rows that name a driver. One that names both is the neighbor's. */
    rowsOf: (id: DriverId) =>
      tablesIn(database)
        .flatMap((table) => database.prepare(`SELECT '${table}' AS "table", * FROM ${table}`).all())
        .filter((row) => ownerIn(JSON.stringify(row)) === id),
  };
  for (const id of ids) furnish(house, id);
  return house;
}

/** The driver whose id or number a row has. */
function ownerIn(row: string): DriverId | undefined {
  return [NEIGHBOR, OWNER].find((id) => row.includes(id) || row.includes(phoneOf(id)));
}

function buildHouse(ids: readonly DriverId[]): DatabaseSync {
  const database = migratedDatabase();
  for (const [table, row] of SHARED) addRow(database, table, row);
  for (const id of ids) {
    const own = rowsFor(id);
    for (const [table, row] of own) addRow(database, table, { ...ownerOf(database, table, id), ...row });
    // Tables that no case here is about still have a row of each driver; a trigger writes `service_ends`.
    const known = new Set(["service_ends", ...own.map(([table]) => table)]);
    for (const table of tablesIn(database)) {
      const [key] = columnsOf(database, table);
      const owner = ownerOf(database, table, id);
      if (owner && !known.has(table))
        addRow(database, table, { [String(key?.["name"])]: `${table} of ${id}`, ...owner });
    }
  }
  return database;
}

function tablesIn(database: DatabaseSync): string[] {
  return database
    .prepare(`SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'`)
    .all()
    .map(({ name }) => String(name));
}

function columnsOf(database: DatabaseSync, table: string) {
  return database.prepare(`SELECT * FROM pragma_table_info(?)`).all(table);
}

/** The column that says whose a row is; null if the table has none. */
function ownerOf(database: DatabaseSync, table: string, id: DriverId): Row | null {
  const column = columnsOf(database, table).find(({ name }) => OWNERS.includes(String(name)));
  return column ? { [String(column["name"])]: id } : null;
}

/** Adds a row, with empty values in columns that need one and aren't given. */
function addRow(database: DatabaseSync, table: string, given: Row): void {
  const needed = columnsOf(database, table).filter(
    ({ notnull, dflt_value: preset, pk, type }) =>
      notnull === 1 && preset === null && !(pk === 1 && type === "INTEGER"),
  );
  const empty = needed.map(({ name, type }) => [String(name), type === "INTEGER" ? 0 : ""] as const);
  const row: Row = { ...Object.fromEntries(empty), ...given };
  const columns = Object.keys(row);
  const places = columns.map(() => "?").join();
  database.prepare(`INSERT INTO ${table} (${columns.join()}) VALUES (${places})`).run(...Object.values(row));
}

export type House = {
  db: Db;
  add: (table: string, row: Row) => void;
  run: (query: string, ...params: SQLInputValue[]) => void;
  rowsOf: (id: DriverId) => Record<string, unknown>[];
};

/** A read finds nothing of the neighbor's, whether there are rows of one's own or not. */
export async function expectOwnRead(read: (db: Db) => Promise<unknown>, furnish?: Furnish): Promise<void> {
  const [none, alone, beside, without] = await Promise.all(
    [[], [OWNER], [NEIGHBOR, OWNER], [NEIGHBOR]].map((ids) => read(openHouse(ids, furnish).db)),
  );
  expect(alone).not.toEqual(none);
  expect(beside).toEqual(alone);
  expect(without).toEqual(none);
}

/** An act changes one's own rows as in a house without a neighbor, and none of the neighbor's. */
export async function expectOwnChange(act: Act, furnish?: Furnish): Promise<void> {
  const { before, after } = await actBeside(act, furnish);
  expect(after).not.toEqual(before);
}

/** An act changes nothing, whatever the neighbor has. */
export async function expectNoChange(act: Act, furnish?: Furnish): Promise<void> {
  const { before, after } = await actBeside(act, furnish);
  expect(after).toEqual(before);
}

type Act = (db: Db) => Promise<unknown>;

/** Acts with and without one's own rows, each beside a neighbor and without one. @returns one's own rows beside the neighbor */
async function actBeside(act: Act, furnish?: Furnish) {
  const outcomeIn = async (ids: readonly DriverId[]) => {
    const house = openHouse(ids, furnish);
    const [before, theirs] = [house.rowsOf(OWNER), house.rowsOf(NEIGHBOR)];
    const result = await act(house.db);
    expect(house.rowsOf(NEIGHBOR)).toEqual(theirs);
    const after = house.rowsOf(OWNER);
    return { before, after, outcome: [masked(result), masked(after)] };
  };
  const alone = await outcomeIn([OWNER]);
  const beside = await outcomeIn([NEIGHBOR, OWNER]);
  const [none, without] = [await outcomeIn([]), await outcomeIn([NEIGHBOR])];
  expect(beside.outcome).toEqual(alone.outcome);
  expect(without.outcome).toEqual(none.outcome);
  return beside;
}

/** An act with the neighbor's ids comes to as much as where nothing has them, and the neighbor's own comes to more. */
export async function expectForeign(
  act: (db: Db, id: DriverId) => Promise<unknown>,
  furnish?: Furnish,
): Promise<void> {
  const both = [NEIGHBOR, OWNER];
  const [alone, beside, rightful] = [
    openHouse([OWNER], furnish),
    openHouse(both, furnish),
    openHouse(both, furnish),
  ];
  const theirs = beside.rowsOf(NEIGHBOR);
  const refused = await act(beside.db, OWNER);
  expect(beside.rowsOf(NEIGHBOR)).toEqual(theirs);
  expect(masked(refused)).toEqual(masked(await act(alone.db, OWNER)));
  const done = await act(rightful.db, NEIGHBOR);
  expect([done, rightful.rowsOf(NEIGHBOR)]).not.toEqual([refused, theirs]);
}

/** As texts, a row each, without what chance drew and what was numbered through all drivers. */
function masked(value: unknown): string[] {
  return [value]
    .flat()
    .map((part) =>
      (JSON.stringify(part, maskNumber) ?? "nothing")
        .replaceAll(/\b[0-9a-f]{32}\b/g, "drawn")
        .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, (id) =>
          id === OWNER ? id : "drawn",
        ),
    );
}

function maskNumber(key: string, part: unknown): unknown {
  return NUMBERED.has(key) && typeof part === "number" ? "numbered" : part;
}
