import { env, reset } from "cloudflare:test";

// A worker runs many files: what the last one left in objects and the database goes.
await reset();
// In one transaction: one for each migration takes forty times as many calls, for each file.
const statements = env.TEST_MIGRATIONS.flatMap(({ queries }) => queries);
await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
