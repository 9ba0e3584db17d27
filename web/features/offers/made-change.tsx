import { Link } from "@tanstack/react-router";
import { Undo2 } from "lucide-react";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { errorMessage } from "../language/error-messages.ts";
import type { useFilterChange } from "./use-filter-change.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { changeLabel } from "./change-labels.ts";

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
  const isShown = made !== null || isUndone || error !== null;
  return (
    <div className={`grid gap-2 ${isShown ? className : ""}`}>
      <div
        data-testid={made ? "made-change" : undefined}
        className={
          made
            ? "flex flex-wrap items-center justify-between gap-x-3 rounded-field border border-good py-1 pr-1 pl-4"
            : "contents"
        }
      >
        {/* The region is there before its words, which is how screen readers notice them. */}
        <output
          className={`empty:sr-only ${made ? "flex-1 basis-44 py-1 font-semibold text-good" : "text-sm text-soft"}`}
        >
          {made
            ? m.change_saved({ change: changeLabel(made.change, { warehouses, currency }) })
            : isUndone && m.change_undone()}
        </output>
        {made && (
          <Button
            variant="quiet"
            className="ml-auto"
            aria-disabled={isPending}
            onClick={() => isPending || undo()}
          >
            <Undo2 aria-hidden className="size-4.5" />
            {m.change_undo()}
          </Button>
        )}
      </div>
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
  changing: { make, isMaking, isPending },
  label,
  className = "",
}: {
  change: FilterChange;
  changing: ReturnType<typeof useFilterChange>;
  label: string;
  className?: string;
}) {
  return (
    <Button className={className} aria-disabled={isPending} onClick={() => isPending || make(change)}>
      {isMaking(change) ? m.save_saving() : label}
    </Button>
  );
}
