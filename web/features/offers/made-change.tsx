import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { errorMessage } from "../language/error-messages.ts";
import type { useFilterChange } from "./use-filter-change.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { formatDuration, formatLength, formatMoney, formatWeekday } from "../language/format.ts";
import { warehouseName } from "./offer-place.ts";

/** The change that was made with one tap, with its undo; or why it failed. */
export function MadeChange({
  changing: { made, undo, isPending, isUndone, isUndoStale, error },
  warehouses,
  currency,
  className = "",
}: {
  changing: ReturnType<typeof useFilterChange>;
  warehouses: readonly Warehouse[];
  currency: string;
  className?: string;
}) {
  return (
    <div className={`grid gap-2 empty:hidden ${className}`}>
      {made && (
        <div
          data-testid="made-change"
          className="flex flex-wrap items-center justify-between gap-x-3 rounded-field border border-good py-1 pr-1 pl-4"
        >
          <output className="flex-1 basis-44 py-1 font-semibold text-good">
            {m.change_saved({ change: changeLabel(made.change, { warehouses, currency }) })}
          </output>
          <Button variant="quiet" className="ml-auto" disabled={isPending} onClick={undo}>
            <Undo2 aria-hidden className="size-4.5" />
            {m.change_undo()}
          </Button>
        </div>
      )}
      {!made && isUndone && <output className="text-sm text-soft">{m.change_undone()}</output>}
      {error && (
        <p role="alert" className="text-sm font-semibold text-bad">
          {isUndoStale ? m.change_undo_stale() : errorMessage(error)}
        </p>
      )}
      {isUndoStale && (
        <Link to="/flex/filters" className={buttonClass("plain")}>
          {m.offer_all_filters()}
        </Link>
      )}
    </div>
  );
}

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

/** The effect of a change, as its button names it. */
export function changeLabel(
  change: FilterChange,
  { warehouses, currency }: { warehouses: readonly Warehouse[]; currency: string },
): string {
  const nameOf = (id: string) => warehouseName(warehouses.find(({ warehouseId }) => warehouseId === id));
  switch (change.kind) {
    case "min_price":
      return m.change_min_price({
        name: nameOf(change.warehouseId),
        figure: formatMoney(change.cents, currency),
      });
    case "min_hourly": {
      const figure = m.unit_per_hour({ money: formatMoney(change.cents, currency) });
      return change.warehouseId === null
        ? m.change_min_hourly({ figure })
        : m.change_min_hourly_at({ figure, name: nameOf(change.warehouseId) });
    }
    case "notice": {
      const figure = formatMinutes(change.minutes);
      return change.warehouseId === null
        ? m.change_notice({ figure })
        : m.change_notice_at({ figure, name: nameOf(change.warehouseId) });
    }
    case "length": {
      const figure = formatLength(change.minutes);
      return change.warehouseId === null
        ? m.change_length({ figure })
        : m.change_length_at({ figure, name: nameOf(change.warehouseId) });
    }
    case "day_on":
      return m.change_day_on({ day: formatWeekday(change.day) });
    case "earlier":
    case "later":
      return windowLabel(change);
    case "select":
      return m.change_select({ name: nameOf(change.warehouseId) });
  }
}

function windowLabel({ kind, day, minutes }: Extract<FilterChange, { kind: "earlier" | "later" }>): string {
  const figure = formatDuration(minutes * MINUTE_MS);
  if (day === null) return kind === "earlier" ? m.change_earlier({ figure }) : m.change_later({ figure });
  const name = formatWeekday(day);
  return kind === "earlier"
    ? m.change_earlier_on({ day: name, figure })
    : m.change_later_on({ day: name, figure });
}

function formatMinutes(minutes: number): string {
  return minutes === 0 ? m.unit_minutes({ minutes: "0" }) : formatDuration(minutes * MINUTE_MS);
}
