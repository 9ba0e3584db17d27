import { applyD1Migrations, env, reset } from "cloudflare:test";

// A worker runs many files: what the last one left in objects and the database goes.
await reset();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
