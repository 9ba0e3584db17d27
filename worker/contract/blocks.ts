import * as z from "zod/mini";
import { block, lostReason, offer, reason } from "../../durable/engine/types.ts";
import { epochMs } from "../../durable/engine/units.ts";

/** `won`: captured. `disliked`: passed over by the driver's rules. `lost`: tried, and gone. */
export const blockList = z._default(z.enum(["won", "disliked", "lost"]), "won");
export type BlockList = z.infer<typeof blockList>;

export const blocksQuery = z.object({
  type: blockList,
  cursor: z.optional(z.string().check(z.regex(/^[0-9]{1,16}$/))),
});

/** One line of a list. `at` is when it was captured, passed over or lost. */
export const blockItem = z.discriminatedUnion("type", [
  z.object({ type: z.literal("won"), seq: z.int(), at: epochMs, block }),
  z.object({ type: z.literal("disliked"), seq: z.int(), at: epochMs, offer, reasons: z.array(reason) }),
  z.object({ type: z.literal("lost"), seq: z.int(), at: epochMs, offer, reason: lostReason }),
]);
export type BlockItem = z.infer<typeof blockItem>;

/** GET /flex/v1/blocks: newest first, 50 a page; `cursor` null on the last. */
export const blocksAnswer = z.object({ items: z.array(blockItem), cursor: z.nullable(z.string()) });
export type BlocksAnswer = z.infer<typeof blocksAnswer>;
