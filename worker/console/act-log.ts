import type { Db } from "../../db/client.ts";
import { listActs, type ActCursor } from "../../db/queries/operators/acts.ts";
import type { DriverId } from "../../db/shapes/units.ts";
import type { ActsResponse } from "../contract/console/operators.ts";
import { toActEntry } from "./acts.ts";

const PAGE_SIZE = 50;

/** A page of what operators did, newest first. */
export async function listActPage(
  db: Db,
  { cursor, driver }: { cursor?: string | undefined; driver?: DriverId | undefined },
  size = PAGE_SIZE,
): Promise<ActsResponse> {
  const rows = await listActs(db, {
    driverId: driver ?? null,
    before: parseCursor(cursor),
    limit: size + 1,
  });
  const acts = rows.slice(0, size);
  const last = acts.at(-1);
  return {
    acts: acts.map(toActEntry),
    cursor: last && rows.length > size ? `${last.at}.${last.id}` : null,
  };
}

function parseCursor(cursor: string | undefined): ActCursor | null {
  if (cursor === undefined) return null;
  const [at = "", id = ""] = cursor.split(".");
  return { at: Number(at), id };
}
