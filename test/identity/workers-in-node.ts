import { readdirSync, readFileSync } from "node:fs";
import { URL } from "node:url";
import { SimulatedD1 } from "../world/d1.ts";

// What `test/identity` needs of `cloudflare:workers`, for a run in Node, where a file starts in a tenth of the time.
const folder = new URL("../../db/migrations/", import.meta.url);

const MIGRATIONS = readdirSync(folder)
  .filter((name) => name.endsWith(".sql"))
  .toSorted()
  .map((name) => ({
    name,
    queries: readFileSync(new URL(name, folder), "utf8").split("--> statement-breakpoint"),
  }));

const DB = new SimulatedD1(folder).bind(async (work) => work());

export const env = { DB, MIGRATIONS };
