import { env, reset } from "cloudflare:test";
import { afterEach } from "vitest";
import { stopPolling } from "./harness.ts";

// A worker runs many files: what the last one left in objects and the database goes.
await reset();
// An object of the last file that was still at work can keep the database from that.
const { results: left } = await env.DB.prepare(
  `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' AND name NOT LIKE '\\_cf\\_%' ESCAPE '\\'`,
).all<{ name: string }>();
// In one transaction: one for each migration takes forty times as many calls, for each file.
const statements = [
  "PRAGMA defer_foreign_keys = on",
  ...left.map(({ name }) => `DROP TABLE "${name}"`),
  ...env.TEST_MIGRATIONS.flatMap(({ queries }) => queries),
];
await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));

afterEach(stopPolling);
