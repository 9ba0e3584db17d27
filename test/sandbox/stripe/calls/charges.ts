import { expand } from "../expand.ts";
import { readParams } from "../form.ts";
import { missing } from "../refusal.ts";
import { chargeView } from "../views/charges.ts";
import { EXPAND, type Call } from "./call.ts";

export const CHARGE_CALLS = {
  readCharge(act, params, id) {
    const { expand: paths = [] } = readParams(EXPAND, params);
    const charge = act.state.payments.charges.get(id);
    if (!charge) throw missing("charge", id);
    return expand(act.state, chargeView(act.state, charge), paths);
  },
} satisfies Record<string, Call>;
