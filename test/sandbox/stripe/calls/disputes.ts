import { expand } from "../expand.ts";
import { readParams } from "../form.ts";
import { missing } from "../refusal.ts";
import { disputeView } from "../views/disputes.ts";
import { EXPAND, type Call } from "./call.ts";
import { listOfCharge } from "./of-charge.ts";

export const DISPUTE_CALLS = {
  listDisputes(act, params) {
    return listOfCharge(act, params, {
      rows: act.state.payments.disputes.values(),
      url: "/v1/disputes",
      kind: "dispute",
      view: (row) => disputeView(act.state, row),
    });
  },

  readDispute(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const dispute = act.state.payments.disputes.get(id);
    if (!dispute) throw missing("dispute", id);
    return expand(act.state, disputeView(act.state, dispute), paths);
  },
} satisfies Record<string, Call>;
