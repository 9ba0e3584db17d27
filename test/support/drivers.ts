import { randomInt, randomUUID } from "node:crypto";
import type { BuiltApp } from "./runtime/built-app.ts";
import type { DriverIdentity } from "./sandbox-client.ts";
import { driverInsert } from "./driver-insert.ts";

export type RegisteredDriver = DriverIdentity & { email: string };

const MONTH_MS = 30 * 86_400_000;

/** A driver with a record and a month of service, not linked. */
export async function registerDriver(
  app: BuiltApp,
  { serviceMs = MONTH_MS } = {},
): Promise<RegisteredDriver> {
  const driverId = randomUUID();
  const phoneNumber = `+1555${String(randomInt(10_000_000)).padStart(7, "0")}`;
  const now = Date.now();
  const { query, values } = driverInsert({ id: driverId, phoneNumber, createdAt: now });
  await app.sql(query, ...values);
  await app.sql(
    `INSERT INTO service_credits (source, driver_id, duration_ms, at) VALUES (?, ?, ?, ?)`,
    `test:${driverId}`,
    driverId,
    serviceMs,
    now,
  );
  return { driverId, phoneNumber, email: `driver-${driverId.slice(0, 8)}@example.com` };
}

/** Points that the driver has besides, under a source of the test's own. */
export async function givePoints(
  { sql }: Pick<BuiltApp, "sql">,
  { driverId }: DriverIdentity,
  { points, source = `test:${driverId}` }: { points: number; source?: string },
): Promise<void> {
  await sql(
    `INSERT INTO point_entries (source, driver_id, points, at) VALUES (?, ?, ?, ?)`,
    source,
    driverId,
    points,
    Date.now(),
  );
}

/** Makes a browser's language the driver's own, which decides what their pages are shown in. */
export async function chooseLanguage(
  { sql }: Pick<BuiltApp, "sql">,
  { driverId }: RegisteredDriver,
  locale = "en-US",
): Promise<void> {
  await sql(
    `UPDATE users SET language = ?1, revision = revision + 1 WHERE id = ?2 AND language <> ?1`,
    locale.slice(0, 2),
    driverId,
  );
}
