import { openDb } from "../../../db/client.ts";
import { PLANS_FOR_SALE } from "../../../db/shapes/money/plans.ts";
import { nameWords } from "../../../db/shapes/name-words.ts";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { migratedDatabase } from "../../support/runtime/migrated-database.ts";
import { bindD1 } from "../../support/runtime/node-d1.ts";

export const DRIVERS = 10_000;
/** The latest instant in the database. */
export const NOW = 1_800_000_000_000;

const nameOf = (index: number) => (index === 4711 ? "Zoé Souza" : `Driver ${index}`);

/** A database of ten thousand drivers, without statistics as D1's, that notes which statements run. */
export function openTenThousand() {
  const database = migratedDatabase();
  const ran: string[] = [];
  const binding = bindD1(database, undefined, undefined, (query, run) => {
    ran.push(query);
    return run();
  });
  fill(database);
  return {
    database,
    binding,
    db: openDb(binding),
    /** The plan of each statement that some work runs. */
    plansOf: async (work: () => Promise<unknown>) => {
      ran.length = 0;
      await work();
      return ran.map((query) => ({
        query,
        details: database
          .prepare(`EXPLAIN QUERY PLAN ${query}`)
          .all()
          .map((row) => String(row["detail"])),
      }));
    },
  };
}

function fill(database: ReturnType<typeof migratedDatabase>): void {
  database.exec("BEGIN");
  const insert = database.prepare(
    `INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, flex_email, proxy_installed, revision, created_at)
      VALUES (?, ?, ?, 'en', 'lucrative', ?, 0, 'jornada', 'America/New_York', ?, 1, 1, ?)`,
  );
  const payment = database.prepare(
    `INSERT INTO payments (id, driver_id, intent_id, plan, status, currency, price_cents, cut_cents, points, points_cents, fee_cents, total_cents, refunded_cents, created_at, settled_at, revision)
      VALUES (?, ?, ?, '7days', 'settled', 'USD', 4987, 0, 0, 0, 35, 5022, 0, ?, ?, 1)`,
  );
  const credit = database.prepare(
    `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, 604800000, ?)`,
  );
  const word = database.prepare(`INSERT INTO driver_name_words (word, driver_id) VALUES (?, ?)`);
  const refund = database.prepare(
    `INSERT INTO payment_refunds (id, payment_id, kind, cents, at, is_effective) VALUES (?, ?, ?, 100, ?, ?)`,
  );
  const dispute = database.prepare(
    `INSERT INTO payment_disputes (id, payment_id, status, reason, cents, fee_cents, due_at, at) VALUES (?, ?, ?, 'fraudulent', 5022, 1500, ?, ?)`,
  );
  const points = database.prepare(
    `INSERT INTO point_entries (source, driver_id, points, at) VALUES (?, ?, ?, ?)`,
  );
  const act = database.prepare(
    `INSERT INTO operator_acts (id, attempt, operator, role, act, driver_id, what, reason, before, after, worth_cents, at)
      VALUES (?, 'a', 'owner@example.com', 'owner', 'days', ?, '{}', 'made up', '{}', '{}', 0, ?)`,
  );
  const spot = database.prepare(
    `INSERT INTO spots (driver_id, city, status, since, check_at) VALUES (?, ?, ?, ?, 0)`,
  );
  const state = database.prepare(
    `INSERT INTO driver_states (driver_id, state, since, reported_at) VALUES (?, ?, ?, ?)`,
  );
  const heartbeat = database.prepare(
    `INSERT INTO heartbeats (driver_id, object_name, due_at) VALUES (?, 'o', ?)`,
  );
  const hour = database.prepare(
    `INSERT INTO fleet_hours (hour, shard, captures, late_50) VALUES (?, ?, 1, 5)`,
  );
  for (let index = 0; index < 168 * 16; index += 1)
    hour.run(Math.floor(NOW / 3_600_000) - Math.floor(index / 16), index % 16);
  const opinion = database.prepare(
    `INSERT INTO feedback (id, driver_id, score, comment, at) VALUES (?, ?, ?, ?, ?)`,
  );
  const line = database.prepare(
    `INSERT INTO announcements (id, en, es, pt, audience, starts_at, ends_at, created_at) VALUES (?, 'e', 's', 'p', 'all', ?, ?, 0)`,
  );
  for (let index = 0; index < 100; index += 1) line.run(`a-${index}`, NOW - index, NOW - index + 50);
  const retry = database.prepare(`INSERT INTO announcement_retries VALUES (?, ?, 1, 0, ?)`);
  const price = database.prepare(
    `INSERT INTO plans (id, plan, price_cents, valid_from) VALUES (?, ?, 4000, ?)`,
  );
  for (let index = 0; index < 400; index += 1)
    price.run(`price-${index}`, PLANS_FOR_SALE[index % 4] ?? "7days", NOW - index * DAY_MS);
  for (let index = 0; index < DRIVERS; index += 1) {
    const id = `driver-${index}`;
    const at = NOW - index * 60_000;
    insert.run(
      id,
      `+1555${String(index).padStart(7, "0")}`,
      nameOf(index),
      index % 2,
      `d${index}@example.com`,
      at,
    );
    payment.run(`p-${index}`, id, `pi_${index}`, at, at);
    credit.run(`payment:p-${index}`, id, at);
    for (const one of nameWords(nameOf(index))) word.run(one, id);
    if (index % 10 === 0) refund.run(`re_${index}`, `p-${index}`, "refund", at, 1);
    if (index % 50 === 0)
      dispute.run(`du_${index}`, `p-${index}`, index % 100 === 0 ? "won" : "needs_response", at + DAY_MS, at);
    points.run(`payment:p-${index}:earned`, id, 70, at);
    spot.run(id, `City ${index % 20}`, index % 3 === 0 ? "waiting" : "held", at);
    act.run(`act-${index}`, id, at);
    opinion.run(`f-${index}`, id, (index % 10) + 1, index % 5 === 0 ? "words" : null, at);
    if (index % 5 === 0) retry.run(`a-${index % 100}`, id, NOW + index);
    state.run(id, ["polling", "asleep", "signed_out", "off"][index % 4] ?? "off", at, at);
    heartbeat.run(id, NOW + (index % 100 === 0 ? -1 : 1) * 600_000);
  }
  database.exec("COMMIT");
}
