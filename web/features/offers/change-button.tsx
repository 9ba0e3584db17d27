import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import type { useFilterChange } from "./use-filter-change.ts";

/** Makes one change of the saved filters, and says what it does. */
export function ChangeButton({
  change,
  changing: { make, making, isPending },
  label,
  className = "",
}: {
  change: FilterChange;
  changing: ReturnType<typeof useFilterChange>;
  label: string;
  className?: string;
}) {
  return (
    <Button className={className} disabled={isPending} onClick={() => make(change)}>
      {making === change ? m.save_saving() : label}
    </Button>
  );
}
