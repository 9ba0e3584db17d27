import { expand } from "../expand.ts";
import { readParams } from "../form.ts";
import { missing } from "../refusal.ts";
import { warningView } from "../views/warnings.ts";
import { EXPAND, type Call } from "./call.ts";
import { listOfCharge } from "./of-charge.ts";

export const WARNING_CALLS = {
  listWarnings(act, params) {
    return listOfCharge(act, params, {
      rows: act.state.payments.warnings.values(),
      url: "/v1/radar/early_fraud_warnings",
      kind: "radar.early_fraud_warning",
      view: (row) => warningView(act.state, row),
    });
  },

  readWarning(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const warning = act.state.payments.warnings.get(id);
    if (!warning) throw missing("radar.early_fraud_warning", id);
    return expand(act.state, warningView(act.state, warning), paths);
  },
} satisfies Record<string, Call>;
