/**
 * Schema migrations of the object's SQLite database. A released migration is never changed. `state` has the machine's
 * fields, each under its own key; `events` is the log that the lists are queried from. Values are JSON; changes
 * inside a value are upcasts in `stored-shapes.ts`, not migrations.
 */
const MIGRATIONS: readonly (readonly string[])[] = [
  [
    `CREATE TABLE state (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE verdicts (offer_id TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID`,
    `CREATE TABLE attempts (attempt_id TEXT PRIMARY KEY, value TEXT NOT NULL, open INTEGER NOT NULL) WITHOUT ROWID`,
    `CREATE INDEX attempts_open ON attempts (open) WHERE open = 1`,
    `CREATE TABLE events (
       seq INTEGER PRIMARY KEY AUTOINCREMENT,
       at INTEGER NOT NULL,
       list TEXT,
       offer_id TEXT,
       cents INTEGER NOT NULL DEFAULT 0,
       value TEXT NOT NULL
     )`,
    `CREATE INDEX events_list ON events (list, seq) WHERE list IS NOT NULL`,
    `CREATE INDEX events_offer ON events (offer_id) WHERE list = 'disliked'`,
    `CREATE TABLE outbox (id INTEGER PRIMARY KEY AUTOINCREMENT, value TEXT NOT NULL, due_at INTEGER NOT NULL, tries INTEGER NOT NULL)`,
    `CREATE TABLE used_tickets (id TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) WITHOUT ROWID`,
  ],
  [
    `CREATE TABLE push_subscriptions (id INTEGER PRIMARY KEY AUTOINCREMENT, endpoint TEXT NOT NULL UNIQUE, value TEXT NOT NULL)`,
  ],
  [
    // The version of each value's shape. Existing rows get version 0; adding a column rewrites no row.
    ...["state", "verdicts", "attempts", "events", "outbox", "push_subscriptions"].map(
      (table) => `ALTER TABLE ${table} ADD COLUMN version INTEGER NOT NULL DEFAULT 0`,
    ),
    `CREATE TABLE unreadable_rows (
       source TEXT NOT NULL,
       key TEXT NOT NULL,
       version INTEGER NOT NULL,
       value TEXT NOT NULL,
       error TEXT NOT NULL,
       at INTEGER NOT NULL,
       PRIMARY KEY (source, key)
     ) WITHOUT ROWID`,
    ...[
      ["identity", "owner"],
      ["linking", "linkSession"],
      ["sightings", "offerActivity"],
      ["endWarnings", "expiryWarnings"],
      ["heardNews", "seenServiceChanges"],
    ].map(([from, to]) => `UPDATE OR IGNORE state SET key = '${to}' WHERE key = '${from}'`),
  ],
  [
    `CREATE TABLE sent_texts (id TEXT PRIMARY KEY, value TEXT NOT NULL, version INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID`,
  ],
  [
    `CREATE TABLE announcement_pushes (id TEXT PRIMARY KEY, queued INTEGER NOT NULL, sent INTEGER NOT NULL, failed INTEGER NOT NULL, at INTEGER NOT NULL) WITHOUT ROWID`,
  ],
  [
    `CREATE TABLE won_blocks (
       block_id TEXT PRIMARY KEY,
       seq INTEGER NOT NULL,
       at INTEGER NOT NULL,
       currency TEXT NOT NULL,
       cents INTEGER NOT NULL,
       minutes INTEGER NOT NULL,
       value TEXT NOT NULL,
       version INTEGER NOT NULL
     ) WITHOUT ROWID`,
    `CREATE INDEX won_blocks_at ON won_blocks (at, block_id)`,
  ],
  [
    `CREATE TABLE held_blocks (
       block_id TEXT PRIMARY KEY,
       starts_at INTEGER NOT NULL,
       changed_at INTEGER NOT NULL,
       sequence INTEGER NOT NULL,
       value TEXT NOT NULL,
       version INTEGER NOT NULL
     ) WITHOUT ROWID`,
    // Blocks of before that were captured. Those taken by hand were not kept.
    `INSERT INTO held_blocks (block_id, starts_at, changed_at, sequence, value, version)
     SELECT block_id, json_extract(value, '$.block.startsAt'), at, 0, json_extract(value, '$.block'), version FROM won_blocks
     WHERE json_valid(value) AND json_extract(value, '$.block.startsAt') IS NOT NULL
       AND json_extract(value, '$.block.status') <> 'forfeited'`,
  ],
  [`CREATE TABLE live_sessions (session_id TEXT PRIMARY KEY, until INTEGER NOT NULL) WITHOUT ROWID`],
  [`CREATE TABLE listings (at INTEGER PRIMARY KEY, value TEXT NOT NULL, version INTEGER NOT NULL)`],
];

/** How many steps a database has that keeps captured blocks apart from the log. */
export const WON_BLOCKS_STEP = 6;

/** Applies all pending migrations in one transaction. @returns how many steps the database had before; 0 for a new one */
export function migrate(storage: DurableObjectStorage): number {
  return storage.transactionSync(() => {
    storage.sql.exec(`CREATE TABLE IF NOT EXISTS schema_steps (step INTEGER PRIMARY KEY)`);
    const done = storage.sql.exec<{ done: number }>(`SELECT count(*) AS done FROM schema_steps`).one().done;
    for (const [index, statements] of MIGRATIONS.entries()) {
      if (index < done) continue;
      for (const statement of statements) storage.sql.exec(statement);
      storage.sql.exec(`INSERT INTO schema_steps (step) VALUES (?)`, index + 1);
    }
    return done;
  });
}
