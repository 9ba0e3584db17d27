import type { Db } from "../../db/client.ts";
import { ACCESS_ACTS, listActs, type ActCursor, countActsSince } from "../../db/queries/operators/acts.ts";
import { type DriverId, DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Config } from "../../durable/runtime/config.ts";
import type { ActsResponse, LimitKind, ReachedLimit } from "../contract/console/operators.ts";
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

type Limits = Pick<
  NonNullable<Config["operators"]>,
  "supportLooks" | "exportsPerDay" | "supportSumCents" | "supportNumbers" | "supportAccess"
>;
type Counted = Awaited<ReturnType<typeof countActsSince>>[number];

/** The limit that a request of support was above, by the act that it asks for. Others need two in any case. */
const ABOVE: Record<string, LimitKind> = {
  special_price: "special_prices",
  days: "gifts",
  points: "gifts",
  refund: "refunds",
};

/** The limits that operators reached in the last day, the latest first. */
export async function loadReachedLimits(
  db: Db,
  { limits, now }: { limits: Limits; now: EpochMs },
): Promise<ReachedLimit[]> {
  const counted = await countActsSince(db, now - DAY_MS);
  const reached = [...Map.groupBy(counted, ({ operator }) => operator)].flatMap(([operator, rows]) =>
    reachedBy(rows, limits).map((limit) => ({ operator, ...limit })),
  );
  return reached.toSorted((a, b) => b.at - a.at);
}

function reachedBy(rows: readonly Counted[], limits: Limits): Omit<ReachedLimit, "operator">[] {
  const ofSupport = rows.filter(({ role }) => role === "support");
  const looks = sumOf(ofSupport.filter(({ act }) => act === "show_phone"));
  const exports = sumOf(rows.filter(({ act }) => act === "export"));
  const given = sumOf(ofSupport.filter(({ worthCents }) => worthCents > 0));
  const numbers = sumOf(ofSupport.filter(({ act }) => act === "change_number"));
  const access = sumOf(ofSupport.filter(({ act, isApproved }) => !isApproved && ACCESS_ACTS.has(act)));
  const asked = Map.groupBy(
    ofSupport.filter(({ act }) => act === "ask"),
    (row) => ABOVE[row.asked ?? ""],
  );
  const found: { kind: LimitKind; acts: number; at: EpochMs }[] = [];
  const add = (kind: LimitKind, { acts, at }: { acts: number; at: EpochMs }) =>
    found.push({ kind, acts, at });
  if (looks.acts > 0 && looks.acts >= limits.supportLooks) add("looks", looks);
  if (numbers.acts > 0 && numbers.acts >= limits.supportNumbers) add("numbers", numbers);
  if (access.acts > 0 && access.acts >= limits.supportAccess) add("access", access);
  if (exports.acts > 0 && exports.acts >= limits.exportsPerDay) add("exports", exports);
  if (given.acts > 0 && given.worthCents >= limits.supportSumCents) add("worth", given);
  for (const [kind, requests] of asked) if (kind) add(kind, sumOf(requests));
  return found;
}

function sumOf(rows: readonly Counted[]) {
  return {
    acts: rows.reduce((sum, { acts }) => sum + acts, 0),
    worthCents: rows.reduce((sum, { worthCents }) => sum + worthCents, 0),
    at: Math.max(0, ...rows.map(({ latest }) => latest)),
  };
}
