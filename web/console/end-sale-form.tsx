import { m } from "./messages/messages.js";
import { ReasonForm } from "./reason-form.tsx";

/** Ends a sale: its plan costs the list price from now on. */
export function EndSaleForm({ saleId, onClose }: { saleId: string; onClose: () => void }) {
  return (
    <ReasonForm
      note={m.note_end_sale()}
      submitLabel={m.act_end_sale()}
      toAct={(reason) => ({ act: "end_sale", saleId, reason })}
      onClose={onClose}
    />
  );
}
