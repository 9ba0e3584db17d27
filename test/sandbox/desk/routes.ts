import { Hono } from "hono";
import { DESK } from "./page.ts";

export function deskRoutes() {
  return new Hono().get("/sandbox", (c) => c.html(DESK)).get("/sandbox/", (c) => c.html(DESK));
}
