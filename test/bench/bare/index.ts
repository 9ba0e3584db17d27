import { drizzle } from "drizzle-orm/d1";
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { users } from "../../../db/schema/drivers.ts";
import type { DriverId } from "../../../db/shapes/units.ts";

/** A minimal route with one D1 read, the baseline for `GET /flex/v1/user`. */
const app = new Hono<{ Bindings: { DB: D1Database } }>().get("/:id", async (c) => {
  const [row] = await drizzle(c.env.DB)
    .select()
    .from(users)
    .where(eq(users.id, c.req.param("id") as DriverId));
  return c.json({ row: row ?? null }, 200);
});

export default app;
