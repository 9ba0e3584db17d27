import { expand } from "../expand.ts";
import { readParams } from "../form.ts";
import { PAGE, createdKind, isWithin, pageOf, spanOf } from "../lists.ts";
import { missing } from "../refusal.ts";
import { disputeView } from "../views/disputes.ts";
import { EXPAND, type Call } from "./call.ts";

export const DISPUTE_CALLS = {
  listDisputes(act, params) {
    const page = readParams(
      { ...PAGE, payment_intent: "string", charge: "string", created: createdKind(params) },
      params,
    );
    const rows = act.state.payments.disputes
      .values()
      .filter((dispute) => page.payment_intent === undefined || dispute.intentId === page.payment_intent)
      .filter((dispute) => page.charge === undefined || dispute.chargeId === page.charge)
      .filter((dispute) => isWithin(dispute.createdAt, spanOf(page.created)));
    const view = (row: (typeof rows)[number]) => disputeView(act.state, row);
    const list = pageOf(rows.toReversed(), page, { url: "/v1/disputes", kind: "dispute", view });
    return expand(act.state, list, page.expand ?? []);
  },

  readDispute(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const dispute = act.state.payments.disputes.get(id);
    if (!dispute) throw missing("dispute", id);
    return expand(act.state, disputeView(act.state, dispute), paths);
  },
} satisfies Record<string, Call>;
