import { Hono } from "hono";
import type { EventRow } from "../../durable/driver/tables/events.ts";
import { blocksQuery, type BlockItem, type BlocksAnswer } from "../contract/blocks.ts";
import type { App } from "../http/context.ts";
import { validated } from "../http/validated.ts";
import { callersObject } from "./driver.ts";

const PAGE = 50;

/** What was captured, passed over and lost: the driver's own log, newest first. */
export const blocks = new Hono<App>().get("/", validated("query", blocksQuery), async (c) => {
  const { type, cursor } = c.req.valid("query");
  const from = cursor === undefined ? Number.MAX_SAFE_INTEGER : Number(cursor);
  const rows = await callersObject(c).list(type, { cursor: from, limit: PAGE + 1 });
  const page = rows.slice(0, PAGE);
  const last = page.at(-1);
  const answer: BlocksAnswer = {
    items: page.map(toItem).filter((item) => item !== null),
    cursor: rows.length > PAGE && last ? String(last.seq) : null,
  };
  return c.json(answer, 200);
});

function toItem({ seq, event }: EventRow): BlockItem | null {
  if (event.kind === "offer_judged") {
    return { type: "disliked", seq, at: event.at, offer: event.offer, reasons: event.reasons };
  }
  if (event.kind !== "attempt_settled") return null;
  const { outcome, offer } = event.attempt;
  if (outcome.status === "won") return { type: "won", seq, at: event.at, block: outcome.block };
  if (outcome.status === "lost") return { type: "lost", seq, at: event.at, offer, reason: outcome.reason };
  return null;
}
