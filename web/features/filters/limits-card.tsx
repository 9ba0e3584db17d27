import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { LIMITS, type Limit } from "../../../db/shapes/work/filters.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { warehousesQuery } from "../../api/queries/filters.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { NumberField } from "../../ui/inputs/number-field.tsx";
import { Sheet } from "../../ui/sheet.tsx";
import { Switch } from "../../ui/inputs/switch.tsx";
import { distanceBetween } from "../arrival/arrival-status.ts";
import { formatCurrencySymbol, countInputs, formatDistance } from "../language/format.ts";
import { formatLimit, LIMIT_LABELS } from "../language/limit-labels.ts";
import { formatTypedFigure } from "../language/typed-figure.ts";
import { warehouseName } from "../offers/offer-place.ts";
import type { DraftEditing } from "./draft-issues.ts";
import { withLimit, type Draft, type DraftLimit } from "./draft.ts";
import { issueMessage } from "./issue-messages.ts";

/** The field of a limit: the label, and how many units of the figure are one of those shown. */
const LIMIT_FIELDS = {
  blocksPerDay: { label: m.limit_field_blocks, scale: 1 },
  minutesPerDay: { label: m.limit_field_hours, scale: 60 },
  minutesPerWeek: { label: m.limit_field_hours, scale: 60 },
  restMinutes: { label: m.limit_field_minutes, scale: 1 },
  travelMinutes: { label: m.limit_field_minutes, scale: 1 },
  weekGoalCents: { label: m.limit_field_money, scale: 100 },
} satisfies Record<Limit, { label: () => string; scale: number }>;

/** The limits of a driver's day and week in one line, and the sheet that sets them. */
export function LimitsCard(editing: DraftEditing) {
  const { draft, issues, currency } = editing;
  const [isOpen, setOpen] = useState(false);
  const isInvalid = Object.keys(issues).some((place) => place.startsWith("limits."));
  return (
    <section id="limits" aria-labelledby="limits-title" className="card scroll-mt-20 px-5 py-3">
      <div className="flex flex-wrap items-center justify-end gap-x-3">
        <div className="min-w-0 flex-[1_1_12rem]">
          <h2 id="limits-title" className="text-lg">
            {m.limits_title()}
          </h2>
          <p className={`figures text-sm ${isInvalid ? "font-semibold text-bad" : "text-soft"}`}>
            {isInvalid ? m.save_faults() : formatLimits(draft, currency)}
          </p>
        </div>
        <Button
          variant="quiet"
          className="-mr-3 shrink-0"
          aria-label={m.limits_edit()}
          data-testid="open-limits"
          onClick={() => setOpen(true)}
        >
          {m.warehouse_edit_short()}
        </Button>
      </div>
      <Sheet open={isOpen} onClose={() => setOpen(false)} title={m.limits_title()}>
        <LimitsForm {...editing} onDone={() => setOpen(false)} />
      </Sheet>
    </section>
  );
}

/** Each limit is a line until it is on; nothing is guessed for it. */
export function LimitsForm({
  draft,
  onChange,
  issues,
  currency,
  onDone,
}: DraftEditing & { onDone: () => void }) {
  return (
    <div className="grid grid-cols-1 gap-3" data-testid="limits-sheet">
      <p className="text-sm text-soft">{m.limits_text()}</p>
      <ul className="divide-y divide-line border-y border-line">
        {LIMITS.map((limit) => (
          <li key={limit} className="py-1">
            <LimitRow
              limit={limit}
              value={draft.limits[limit]}
              onChange={(value) => onChange(withLimit(draft, limit, value))}
              error={issueMessage(issues[`limits.${limit}`], currency)}
              currency={currency}
            />
            {limit === "travelMinutes" && draft.limits[limit].isOn && <TravelDistances draft={draft} />}
          </li>
        ))}
      </ul>
      <p className="text-sm text-soft">{m.limits_kept()}</p>
      <Button variant="primary" onClick={onDone}>
        {m.warehouse_done()}
      </Button>
    </div>
  );
}

function LimitRow({
  limit,
  value,
  onChange,
  error,
  currency,
}: {
  limit: Limit;
  value: DraftLimit;
  onChange: (value: DraftLimit) => void;
  error: string | undefined;
  currency: string;
}) {
  const label = LIMIT_LABELS[limit]();
  const field = LIMIT_FIELDS[limit];
  return (
    <fieldset aria-label={label}>
      <div className="flex items-center justify-between gap-4">
        <p className="font-semibold">{label}</p>
        <Switch label={label} checked={value.isOn} onChange={(isOn) => onChange({ ...value, isOn })} />
      </div>
      {value.isOn && (
        <div className="max-w-60 pb-3">
          <NumberField
            format={formatTypedFigure}
            label={field.label()}
            scale={field.scale}
            {...(limit === "weekGoalCents" && { prefix: formatCurrencySymbol(currency) })}
            value={value.figure}
            onChange={(figure) => onChange({ ...value, figure })}
            error={error}
            {...(limit === "weekGoalCents" && { hint: m.limit_goal_hint() })}
          />
        </div>
      )}
    </fieldset>
  );
}

/** The limits that are on, in one line. */
function formatLimits({ limits }: Pick<Draft, "limits">, currency: string): string {
  const on = LIMITS.filter((limit) => limits[limit].isOn);
  if (on.length === 0) return m.limits_none();
  return on.map((limit) => formatLimit(limit, { figure: limits[limit].figure, currency })).join(" · ");
}

/** How many pairs are listed: the farthest decide how long the way is. */
const MAX_PAIRS = 4;

/** How far apart the selected warehouses are, as the crow flies, beside the one figure for all ways between them. */
function TravelDistances({ draft }: { draft: Draft }) {
  const warehouses = useQuery(warehousesQuery).data?.warehouses ?? [];
  const selected = new Set(draft.warehouses.flatMap((rule) => (rule.selected ? [rule.warehouseId] : [])));
  const pairs = findDistances(warehouses.filter(({ warehouseId }) => selected.has(warehouseId)));
  if (pairs.length === 0) return null;
  const rest = pairs.length - MAX_PAIRS;
  return (
    <div className="pb-3 text-sm">
      <p className="text-soft">{m.limit_travel_distances()}</p>
      <ul className="figures">
        {pairs.slice(0, MAX_PAIRS).map(({ from, to, meters }) => (
          <li key={`${from.warehouseId} ${to.warehouseId}`} className="flex justify-between gap-3">
            <span className="min-w-0">
              {warehouseName(from)} – {warehouseName(to)}
            </span>
            <span className="shrink-0 font-semibold">{formatDistance(meters)}</span>
          </li>
        ))}
      </ul>
      {rest > 0 && <p className="text-soft">{m.limit_travel_more(countInputs(rest))}</p>}
    </div>
  );
}

type Distance = { from: Warehouse; to: Warehouse; meters: number };

/** Each pair of warehouses whose places are known, the farthest first. */
function findDistances(warehouses: readonly Warehouse[]): Distance[] {
  // The platform's client puts a warehouse without a place there, in the Gulf of Guinea.
  const placed = warehouses.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0);
  const pairs = placed.flatMap((from, index) =>
    placed.slice(index + 1).map((to) => ({ from, to, meters: distanceBetween(from, to) })),
  );
  return pairs.toSorted((one, other) => other.meters - one.meters);
}
