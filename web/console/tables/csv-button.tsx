import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { toast } from "sonner";
import {
  EXPORT_LIMIT,
  type ExportOrder,
  type ExportResponse,
} from "../../../worker/contract/console/operator-exports.ts";
import { formatCount } from "../../features/language/format.ts";
import { Button } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { postExport } from "../calls/acts.ts";
import { toCsv, type CsvColumn, saveCsv } from "../../ui/csv.ts";
import { m } from "../messages/messages.js";
import { GivenReason } from "../forms/reason-form.tsx";

/** A table that names nobody, as a file. */
export function CsvButton<Row>({
  name,
  table,
  columns,
  rows,
}: {
  name: string;
  table: string;
  columns: () => readonly CsvColumn<Row>[];
  rows: readonly Row[];
}) {
  return (
    <Button
      variant="quiet"
      className="-my-2 text-sm first:-ml-4 last:-mr-4"
      aria-label={m.csv_of({ table })}
      disabled={rows.length === 0}
      onClick={() => saveCsv(name, toCsv(columns(), rows))}
    >
      {m.csv()}
    </Button>
  );
}

type Omitted<Order> = Order extends ExportOrder ? Omit<Order, "reason"> : never;

/** A table that names drivers or operators, as a file: why is asked first, and the log has a line of it. */
export function ExportButton<Row>({
  order,
  table,
  columns,
  rowsOf,
}: {
  order: Omitted<ExportOrder>;
  table: string;
  columns: () => readonly CsvColumn<Row>[];
  rowsOf: (response: ExportResponse) => readonly Row[];
}) {
  const [isOpen, setOpen] = useState(false);
  const close = () => setOpen(false);
  return (
    <>
      <Button
        variant="quiet"
        className="-my-2 -mr-4 text-sm"
        aria-haspopup="dialog"
        aria-label={m.csv_of({ table })}
        onClick={() => setOpen(true)}
      >
        {m.csv()}
      </Button>
      <Sheet open={isOpen} onClose={close} edge="middle" title={m.csv_of({ table })}>
        {isOpen && (
          <ExportForm
            onClose={close}
            onReason={async (key, reason) => {
              const response = await postExport(key, { ...order, reason });
              saveCsv(
                order.table === "driver" ? order.part : order.table,
                toCsv(columns(), rowsOf(response)),
              );
              const cut = "from" in order ? m.csv_cut_days : m.csv_cut;
              if (response.isCut) toast.warning(cut({ count: formatCount(EXPORT_LIMIT) }));
            }}
          />
        )}
      </Sheet>
    </>
  );
}

function ExportForm({
  onClose,
  onReason,
}: {
  onClose: () => void;
  onReason: (key: string, reason: string) => Promise<void>;
}) {
  const queryClient = useQueryClient();
  const [key] = useState(() => crypto.randomUUID());
  const order = useMutation({
    mutationFn: (reason: string) => onReason(key, reason),
    onSuccess: onClose,
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["acts"] }),
  });
  return (
    <GivenReason
      note={m.csv_note({ count: formatCount(EXPORT_LIMIT) })}
      submitLabel={m.csv_get()}
      send={order.mutateAsync}
      onClose={onClose}
    />
  );
}
