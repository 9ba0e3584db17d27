import type { Db } from "../../db/client.ts";
import { countActsSince } from "../../db/queries/operators/limits.ts";
import { DAY_MS, type EpochMs } from "../../db/shapes/units.ts";
import type { Config } from "../../durable/runtime/config.ts";
import type { LimitKind, ReachedLimit } from "../contract/console/operators.ts";

type Limits = Pick<NonNullable<Config["operators"]>, "supportLooks" | "exportsPerDay" | "supportSumCents">;
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
  const asked = Map.groupBy(
    ofSupport.filter(({ act }) => act === "ask"),
    (row) => ABOVE[row.asked ?? ""],
  );
  const found: { kind: LimitKind; acts: number; at: EpochMs }[] = [];
  const add = (kind: LimitKind, { acts, at }: { acts: number; at: EpochMs }) =>
    found.push({ kind, acts, at });
  if (looks.acts > 0 && looks.acts >= limits.supportLooks) add("looks", looks);
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
