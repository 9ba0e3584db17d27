import * as z from "zod/mini";
import { quote } from "./quote.ts";
import type { Query } from "./reconcile-span.ts";

const cityRows = z.array(
  z.object({
    city: z.string(),
    spots: z.nullable(z.number()),
    taken: z.number(),
    waiting: z.number(),
  }),
);

/** Each city that has drivers or a limit: its spots (null for no limit), how many are taken, how many drivers wait. */
export async function listCities(query: Query) {
  return z.parse(
    cityRows,
    await query(
      `SELECT city, (SELECT spots FROM city_spots c WHERE c.city = all_cities.city) AS spots,
        (SELECT count(*) FROM spots s WHERE s.city = all_cities.city AND status IN ('held', 'offered')) AS taken,
        (SELECT count(*) FROM spots s WHERE s.city = all_cities.city AND status = 'waiting') AS waiting
      FROM (SELECT city FROM city_spots UNION SELECT city FROM spots) AS all_cities ORDER BY city`,
    ),
  );
}

/** Limits a city to a number of spots, or (null) takes the limit away. Nobody loses the spot that they have. */
export async function limitCity(query: Query, city: string, spots: number | null): Promise<void> {
  const name = quote(city);
  await query(
    spots === null
      ? `DELETE FROM city_spots WHERE city = ${name}`
      : `INSERT INTO city_spots (city, spots) VALUES (${name}, ${spots}) ON CONFLICT (city) DO UPDATE SET spots = excluded.spots`,
  );
}
