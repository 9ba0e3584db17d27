import * as z from "zod";
import type { PartialBlock } from "../../engine/state/outcomes.ts";
import { nameDrift, type NoteDrift } from "../drift.ts";
import { GENEROUS, STRICT } from "../fields.ts";
import { isSpanOfWork, serviceWord, statusWord } from "./words.ts";

/** A block as the contract has it. */
export const strictBlock = z
  .object({
    blockId: STRICT.blockId,
    offerId: STRICT.offerId,
    warehouseId: STRICT.warehouseId,
    serviceType: serviceWord.strict,
    startsAt: STRICT.instant,
    endsAt: STRICT.instant,
    pay: STRICT.money,
    status: statusWord.strict,
    acceptedAt: STRICT.instant,
    checkedInAt: STRICT.instant.optional(),
  })
  .refine(isSpanOfWork);

/** The readable fields of a block, each for itself. */
export const partialBlock = z
  .object({
    blockId: GENEROUS.blockId.nullable().catch(null),
    offerId: GENEROUS.offerId.nullable().catch(null),
    warehouseId: GENEROUS.warehouseId.nullable().catch(null),
    serviceType: serviceWord.generous.nullable().catch(null),
    startsAt: GENEROUS.instant.nullable().catch(null),
    endsAt: GENEROUS.instant.nullable().catch(null),
    pay: GENEROUS.money.nullable().catch(null),
    status: statusWord.generous,
    acceptedAt: GENEROUS.instant.nullable().catch(null),
    checkedInAt: GENEROUS.instant.nullable().catch(null),
  })
  .transform(({ pay, startsAt, endsAt, ...rest }): PartialBlock => {
    const isSpan = startsAt !== null && endsAt !== null && isSpanOfWork({ startsAt, endsAt });
    return {
      ...rest,
      startsAt: isSpan ? startsAt : null,
      endsAt: isSpan ? endsAt : null,
      payCents: pay?.amount ?? null,
      currency: pay?.currency ?? null,
    };
  });

/** Reads what can be read of a block; null if it is none at all. */
export function readBlock(given: unknown, note: NoteDrift): PartialBlock | null {
  nameDrift(strictBlock, given, note);
  return partialBlock.safeParse(given).data ?? null;
}

/** Reads a list of blocks. `skipped` counts those that are not as the contract says. */
export function readBlocks(
  items: readonly unknown[],
  note: NoteDrift,
): { blocks: PartialBlock[]; skipped: number } {
  let skipped = 0;
  const blocks = items.flatMap((item) => {
    let isOdd = false;
    const block = readBlock(item, (field) => {
      isOdd = true;
      note(field === "body" ? "blocks" : `blocks.${field}`);
    });
    if (isOdd) skipped += 1;
    return block ? [block] : [];
  });
  return { blocks, skipped };
}

/** Its items are parsed one by one, so that a malformed item doesn't discard the others. */
export const blocksJson = z.object({ blocks: z.array(z.unknown()) });
