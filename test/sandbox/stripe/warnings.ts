import type { Act } from "./act.ts";
import { emit } from "./events.ts";
import { refuse } from "./refusal.ts";
import type { Charge, Warning } from "./shapes.ts";
import { paymentId } from "./tables.ts";
import { warningView } from "./views/warnings.ts";

/** The bank reports a charge as fraud. Of one charge there is one warning. */
export function warnOfFraud(act: Act, charge: Charge): Warning {
  const { state, now } = act;
  if (charge.decline !== null) throw refuse(`Charge ${charge.id} did not succeed; nobody reports it.`);
  const known = state.payments.warnings.values().find(({ chargeId }) => chargeId === charge.id);
  if (known) throw refuse(`Charge ${charge.id} has an early fraud warning already.`);
  const warning: Warning = {
    id: paymentId(state, "issfr"),
    createdAt: now,
    chargeId: charge.id,
    intentId: charge.intentId,
    fraudType: "made_with_stolen_card",
  };
  state.payments.warnings.set(warning.id, warning);
  emit(act, "radar.early_fraud_warning.created", warningView(state, warning));
  return warning;
}
