import { expect, it } from "vitest";
import { openDb } from "../../db/client.ts";
import { deleteNews, loadNews } from "../../db/queries/texts/driver-news.ts";
import { driverId } from "../../db/shapes/units.ts";
import { migratedDatabase } from "../support/runtime/migrated-database.ts";
import { bindD1 } from "../support/runtime/node-d1.ts";

const DRIVER = driverId.parse("6f1f8a52-6d0e-4a26-9d3e-0c7f6f6d7a01");

it("deletes more delivered news at once than D1 takes parameters", async () => {
  const database = migratedDatabase();
  const insert = database.prepare(
    `INSERT INTO driver_news (source, driver_id, kind, subject, at) VALUES (?, ?, 'spot_passed', 'Miami', ?)`,
  );
  for (let count = 0; count < 150; count += 1) insert.run(`spot:${count}`, DRIVER, count);
  const db = openDb(bindD1(database) as unknown as Parameters<typeof openDb>[0]);
  const news = await loadNews(db, DRIVER);
  expect(news).toHaveLength(150);
  await deleteNews(
    db,
    news.map(({ source }) => source),
  );
  expect(await loadNews(db, DRIVER)).toEqual([]);
});
