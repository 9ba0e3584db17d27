import type { Act } from "../act.ts";
import { expand } from "../expand.ts";
import { readParams, type Params } from "../form.ts";
import { PAGE, createdKind, isWithin, pageOf, spanOf } from "../lists.ts";
import type { View } from "../views/view.ts";

/** A page of refunds or disputes: all, or those of one charge or one intent. */
export function listOfCharge<
  Row extends { id: string; intentId: string; chargeId: string; createdAt: number },
>(
  act: Act,
  params: Params,
  { rows, ...shown }: { rows: readonly Row[]; url: string; kind: string; view: (row: Row) => View },
): View {
  const page = readParams(
    { ...PAGE, payment_intent: "string", charge: "string", created: createdKind(params) },
    params,
  );
  const found = rows
    .filter((row) => page.payment_intent === undefined || row.intentId === page.payment_intent)
    .filter((row) => page.charge === undefined || row.chargeId === page.charge)
    .filter((row) => isWithin(row.createdAt, spanOf(page.created)));
  return expand(act.state, pageOf(found.toReversed(), page, shown), page.expand ?? []);
}
