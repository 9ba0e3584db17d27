import { Hono } from "hono";
import {
  offerOutcomeOf,
  type LogEntry,
  NEWEST_WON,
  type WonBlock,
  type WonPosition,
  type WonSum,
} from "../../../db/shapes/log/driver-log.ts";
import type { OtherOffersResponse } from "../../../db/shapes/work/other-offers.ts";
import { DAY_MS, MINUTE_MS, type DurationMs, blockId } from "../../../db/shapes/units.ts";
import {
  blocksQueryInput,
  heldBlockParams,
  takeAgainParams,
  type BlockItem,
  type BlocksResponse,
  type ListTotal,
} from "../../contract/work/blocks.ts";
import type { AppEnv } from "../../http/app-env.ts";
import { ApiError } from "../../http/errors/api-error.ts";
import { createRateLimiter, requireUnderLimit } from "../../http/rate-limiter.ts";
import { validate } from "../../http/validate.ts";
import { loadPassedOver } from "./passed-over.ts";
import { callerObject, loadCallerRecord } from "../caller.ts";
import type { DriverRpc } from "../../../durable/runtime/driver-rpc.ts";

const PAGE_SIZE = 50;

/** How far back the summary looks: long enough for each weekday, short enough to be about the filters of now. */
const PERIOD_MS: DurationMs = 7 * DAY_MS;

/** Each call judges thousands of offers again: a few taps and their undoing, and no loop. */
const passedOverLimiter = createRateLimiter({ most: 12, windowMs: MINUTE_MS });

/**
 * The lists of captured, rejected and lost offers, newest first; what the rejected ones add up to; and what the driver
 * says of one.
 */
export const blockRoutes = new Hono<AppEnv>()
  .get("/", validate("query", blocksQueryInput), async (c) => {
    const { type, cursor } = c.req.valid("query");
    if (type === "won") {
      const object = callerObject(c);
      const [{ won, next }, sums] = await Promise.all([
        listWonHistory(object, { cursor: cursor ?? null, limit: PAGE_SIZE }),
        cursor === undefined ? object.wonSums() : null,
      ]);
      const items = won.map((item) => ({ type, ...item }));
      const total = sums && toListTotal(sums);
      return c.json({ items, cursor: next, total } satisfies BlocksResponse, 200);
    }
    const from = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number.parseInt(cursor, 10);
    const object = callerObject(c);
    const [rows, count] = await Promise.all([
      object.list(type, { cursor: from, limit: PAGE_SIZE + 1 }),
      cursor === undefined ? object.countList(type) : null,
    ]);
    const page = rows.slice(0, PAGE_SIZE);
    const last = page.at(-1);
    const response: BlocksResponse = {
      items: page.map(toItem).filter((item) => item !== null),
      cursor: rows.length > PAGE_SIZE && last ? String(last.seq) : null,
      total: count === null ? null : { count, payCents: 0, minutes: 0, currency: null },
    };
    return c.json(response, 200);
  })
  .get("/passed-over", async (c) => {
    const { config, now } = c.var.deps;
    requireUnderLimit(passedOverLimiter, c.var.caller.driverId, now());
    const record = await loadCallerRecord(c);
    const period = { from: now() - PERIOD_MS, to: now() + MINUTE_MS };
    const context = { record, currency: config.currency, period };
    return c.json(await loadPassedOver(callerObject(c), context), 200);
  })
  .get("/:id/other-offers", validate("param", heldBlockParams), async (c) => {
    const response = await callerObject(c).otherOffers(c.req.valid("param").id);
    if (response === null) throw new ApiError("not_found");
    return c.json(response satisfies OtherOffersResponse, 200);
  })
  .post("/:id/take-again", validate("param", takeAgainParams), async (c) => {
    const isKnown = await callerObject(c).takeAgain(c.req.valid("param").id);
    if (!isKnown) throw new ApiError("not_found");
    return c.body(null, 204);
  });

function toItem({ seq, event }: LogEntry): BlockItem | null {
  const found = offerOutcomeOf(event);
  if (!found) return null;
  const { offer, outcome } = found;
  const { at } = event;
  if (outcome.kind === "rejected") {
    const { reasons, rule } = outcome;
    return { type: "disliked", seq, at, offer, reasons: [...reasons], ...(rule && { rule }) };
  }
  return outcome.kind === "lost" ? { type: "lost", seq, at, offer, reason: outcome.reason } : null;
}

/** One page of the captured blocks, newest first. `next` is the cursor of the following page, null after the last. */
async function listWonHistory(
  object: DurableObjectStub<DriverRpc>,
  { cursor, limit }: { cursor: string | null; limit: number },
): Promise<{ won: WonBlock[]; next: string | null }> {
  const found = await object.wonBlocks({ after: parseCursor(cursor), limit: limit + 1 });
  const won = found.slice(0, limit);
  const last = won.at(-1);
  return { won, next: found.length > limit && last ? `${last.at}_${last.block.blockId}` : null };
}

/** The sums of the whole list. Pay and minutes are those in the newest block's currency. */
function toListTotal(sums: readonly WonSum[]): ListTotal {
  const [newest] = sums;
  return {
    count: sums.reduce((total, { blocks }) => total + blocks, 0),
    payCents: newest?.payCents ?? 0,
    minutes: newest?.minutes ?? 0,
    currency: newest?.currency ?? null,
  };
}

function parseCursor(cursor: string | null): WonPosition {
  if (cursor === null) return NEWEST_WON;
  const [, at, id] = /^([0-9]+)_(.+)$/.exec(cursor) ?? [];
  return { at: Number(at), blockId: blockId.parse(id) };
}
