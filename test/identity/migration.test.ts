import { expect, it } from "vitest";
import { claimsOf, openPoolHarness } from "./harness.ts";
import { d1, migrate, migrations, recreateDatabase } from "./database.ts";

const isLater = ({ name }: { name: string }) => name >= "0003";

type Row = Record<string, string | number | null>;

async function rowsOf(table: string): Promise<Row[]> {
  return (await d1.prepare(`SELECT * FROM ${table}`).all<Row>()).results;
}

/** Inserts what the table has columns for. */
async function insert(table: string, whole: Row): Promise<void> {
  const { results } = await d1.prepare(`PRAGMA table_info(${table})`).all<{ name: string }>();
  const known = new Set(results.map(({ name }) => name));
  const row = Object.fromEntries(Object.entries(whole).filter(([column]) => known.has(column)));
  const columns = Object.keys(row);
  await d1
    .prepare(`INSERT INTO ${table} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`)
    .bind(...Object.values(row))
    .run();
}

it("keeps accounts, sessions and keys from before device tracking was removed and keys rotated", async () => {
  const harness = await openPoolHarness();
  const { phone, password, sub } = await harness.register();
  const AuthParameters = { USERNAME: phone, PASSWORD: password };
  const signIn = { ClientId: harness.clientId, AuthFlow: "USER_PASSWORD_AUTH", AuthParameters };
  const { AuthenticationResult: tokens } = (await harness.call("InitiateAuth", signIn)).body;
  const { AccessToken, RefreshToken } = Object(tokens);
  const tables = ["pool_users", "pool_sessions", "pool_signing_keys"];
  const kept = await Promise.all(tables.map(async (table) => [table, await rowsOf(table)] as const));

  await recreateDatabase(migrations.filter((migration) => !isLater(migration)));
  for (const [table, rows] of kept) for (const row of rows) await insert(table, row);
  const device_key = "local_0f8fad5b-d9cb-469f-a165-70867728950e";
  await d1.prepare("UPDATE pool_sessions SET device_key = ?").bind(device_key).run();
  await insert("pool_devices", {
    device_key,
    user_id: sub,
    group_key: "-group",
    password: "sealed",
    name: null,
    remembered: 1,
    created_at: 1,
    modified_at: 1,
    authenticated_at: 1,
  });
  await migrate(migrations.filter(isLater));

  const keys = await rowsOf("pool_signing_keys");
  expect(keys.map(({ signs_from, rotates_at }) => [signs_from, rotates_at])).toEqual(
    keys.map(({ created_at }) => [created_at, Number(created_at) + 90 * 24 * 3_600_000]),
  );
  const refresh = { ClientId: harness.clientId, RefreshToken };
  const refreshed = Object((await harness.call("GetTokensFromRefreshToken", refresh)).body);
  expect(claimsOf(refreshed.AuthenticationResult.AccessToken)).toMatchObject({ sub });
  expect((await harness.call("GetUser", { AccessToken })).body).toMatchObject({ Username: sub });
  expect((await harness.call("InitiateAuth", signIn)).status).toBe(200);
  expect((await harness.call("DeleteUser", { AccessToken })).status).toBe(200);
});
