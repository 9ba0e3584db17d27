import { drizzle } from "drizzle-orm/d1";
import { eq } from "drizzle-orm";
import { Hono } from "hono";
import { users } from "../../../db/schema.ts";
import type { DriverId } from "../../../db/shapes/units.ts";

/** The least that a route with one read of D1 can be: what `GET /flex/v1/user` is measured against. */
const app = new Hono<{ Bindings: { DB: D1Database } }>().get("/:id", async (c) => {
  const [row] = await drizzle(c.env.DB)
    .select()
    .from(users)
    .where(eq(users.id, c.req.param("id") as DriverId));
  return c.json({ row: row ?? null }, 200);
});

export default app;
