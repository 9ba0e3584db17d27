import type { DriverPage } from "../../../worker/contract/console/operator-drivers.ts";
import { Button } from "../../ui/button.tsx";
import type { ActDraft } from "../acts/act-form.ts";
import { ACT_LABELS } from "../acts/act-labels.ts";
import { m } from "../messages/messages.js";
import { useOperator } from "../calls/operator.ts";

type PlainAct = Exclude<ActDraft["act"], "refund" | "end_price" | "show_phone" | "resend_text">;

/** What can be done to a driver as things stand. */
export function DriverActs({ page, onAct }: { page: DriverPage; onAct: (draft: ActDraft) => void }) {
  const { hasOwnPool } = useOperator();
  const { isLinked, isEnabled } = page.driver;
  const pool: PlainAct[] = hasOwnPool ? ["sign_out", isEnabled === false ? "enable" : "disable"] : [];
  const acts: PlainAct[] = [
    "days",
    "points",
    "special_price",
    "test_text",
    ...(isLinked ? (["unlink"] as const) : []),
    ...pool,
  ];
  return (
    <fieldset aria-label={m.what()} className="flex flex-wrap gap-2">
      {acts.map((act) => (
        <Button key={act} aria-haspopup="dialog" className="text-sm" onClick={() => onAct({ act })}>
          {ACT_LABELS[act]()}
        </Button>
      ))}
    </fieldset>
  );
}
