import { expect, it } from "vitest";
import { nameWords } from "../../db/shapes/name-words.ts";
import { readServiceLedger } from "../../db/queries/payments/service-time.ts";
import { applyMigrations, migratedDatabase } from "../support/runtime/migrated-database.ts";

it.each([
  ["Ana Souza", ["ana", "souza"]],
  ["  JOSÉ  María da Conceição-Núñez ", ["jose", "maria", "da", "conceicao", "nunez"]],
  ["O'Neill, Zoë", ["o", "neill", "zoe"]],
  ["Ana ana ANA", ["ana"]],
  ["李 小龙", ["李", "小龙"]],
  ["•••", []],
])("finds %o by its words, whatever their case and accents", (name, words) => {
  expect(nameWords(name)).toEqual(words);
});

it("gives drivers of an earlier release the same words, and the end of their service as the ledger says it", () => {
  const database = migratedDatabase({ upTo: "0023" });
  const names = ["Ana Souza", "JOSÉ  María da Conceição-Núñez", "O'Neill, Zoë", "Ângela d’Ávila"];
  for (const [index, name] of names.entries()) {
    database
      .prepare(
        `INSERT INTO users (id, phone_number, name, language, mode, switched_on, waiting_for_spot, referral, human_timezone, proxy_installed, revision, created_at)
          VALUES (?, ?, ?, 'en', 'lucrative', 1, 0, 'jornada', 'America/New_York', 1, 1, 0)`,
      )
      .run(`d-${index}`, `+1555000${index}`, name);
  }
  const entries = [
    { source: "trial:1", durationMs: 1000, at: 100 },
    { source: "payment:a", durationMs: 5000, at: 600 },
    { source: "payment:a:re_1", durationMs: -2000, at: 900 },
    { source: "payment:b", durationMs: 700, at: 9000 },
  ];
  const add = (entry: (typeof entries)[number]) =>
    database
      .prepare(`INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, 'd-0', ?, ?)`)
      .run(entry.source, entry.durationMs, entry.at);
  const end = () => database.prepare(`SELECT ends_at FROM service_ends WHERE driver_id = 'd-0'`).get();
  for (const entry of entries) add(entry);
  applyMigrations(database, { from: "0023" });
  expect(end()).toEqual({ ends_at: readServiceLedger(entries).until });
  for (const [index, name] of names.entries()) {
    const found = database
      .prepare(`SELECT word FROM driver_name_words WHERE driver_id = ? ORDER BY word`)
      .all(`d-${index}`);
    expect(found.map(({ word }) => word)).toEqual(nameWords(name).toSorted());
  }
  // From then on a trigger keeps the end.
  const later = [
    { source: "payment:c", durationMs: 3000, at: 9100 },
    { source: "payment:c:re_2", durationMs: -1000, at: 9200 },
    { source: "payment:c:re_2:undone", durationMs: 1000, at: 9300 },
    { source: "payment:d", durationMs: 100, at: 90_000 },
    { source: "payment:d:re_3", durationMs: -100, at: 90_050 },
  ];
  for (const [index, entry] of later.entries()) {
    add(entry);
    const { until } = readServiceLedger([...entries, ...later.slice(0, index + 1)]);
    expect(end()).toEqual({ ends_at: until });
  }
});
