import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, it } from "vitest";
import { declaredNames, SQL_WORDS } from "../../db/lint-sql.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const read = (file: string) => readFileSync(join(root, file), "utf8");

/** The rules' refusals in a file, as oxlint says it. */
function refused(source: string): string[] {
  const folder = mkdtempSync(join(tmpdir(), "lint-sql-"));
  try {
    const rules = { "sql/names": "error", "sql/inserts": "error" };
    const config = { jsPlugins: [join(root, "db/lint-sql.ts")], categories: { correctness: "off" }, rules };
    writeFileSync(join(folder, ".oxlintrc.json"), JSON.stringify(config));
    writeFileSync(join(folder, "query.ts"), source);
    const lint = [join(root, "node_modules/oxlint/bin/oxlint"), "--format", "json", "query.ts"];
    const { stdout } = spawnSync(process.execPath, lint, { cwd: folder, encoding: "utf8" });
    return JSON.parse(stdout).diagnostics.map((issue: { message: string }) => issue.message);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const byName = (...names: string[]) =>
  `Name tables and columns by the schema's objects, which the compiler checks, not as ${names.join(", ")}.`;
const byPosition =
  "An insert of a query names columns by position: use insertWhere or insertFrom (db/insert-where.ts).";

it("refuses raw names and inserts by position, and nothing else", () => {
  expect(
    refused(
      [
        "sql`SELECT count(*) FROM users WHERE ${users.id} = 'by name'`;",
        "sql<number>`(SELECT ${users.name} FROM ${users} WHERE driver_id = ${id})`;",
        "sql`excluded.city`;",
        'sql.raw("users.rowid");',
        'sql.identifier("users");',
        "db.insert(users).select(sql`SELECT ${id}`);",
        "sql`SELECT ${users.id} AS holder, value ->> '${field}' FROM json_each(${ids}) ORDER BY holder`;",
        "db.select(sql`1`).from(users);",
        'sql.placeholder("users");',
      ].join("\n"),
    ).toSorted(),
  ).toEqual(
    [
      byName("users"),
      byName("driver_id"),
      byName("city"),
      byName("users"),
      byName("users"),
      byPosition,
    ].toSorted(),
  );
});

it("covers all SQL by drizzle, since only the database layer imports it", () => {
  const sources = globSync("{durable,worker,web}/**/*.{ts,tsx}", { cwd: root });
  expect(sources.length).toBeGreaterThan(500);
  expect(sources.filter((file) => read(file).includes('from "drizzle-orm'))).toEqual([]);
});

it("lets no word pass that is the name of a table or column", async () => {
  const schemas = globSync("db/schema/*.ts", { cwd: root }).map((file) => import(join(root, file)));
  const tables = (await Promise.all(schemas)).flatMap((schema) =>
    Object.values(schema).filter((one) => is(one, SQLiteTable)),
  );
  const named = tables.flatMap((table) => [
    getTableName(table),
    ...Object.values(getTableColumns(table)).map(({ name }) => name),
  ]);
  expect(tables.length).toBeGreaterThan(50);
  const templates = globSync("db/**/*.ts", { cwd: root }).flatMap((file) =>
    [...read(file).matchAll(/\bsql(?:<[^`]*>)?`([^`]*)`/g)].map(([, template = ""]) => template),
  );
  const passing = new Set([...SQL_WORDS, ...declaredNames(templates)]);
  expect(named.filter((name) => passing.has(name))).toEqual([]);
});
