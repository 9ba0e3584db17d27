import { MAX_THRESHOLD_CENTS } from "../../../db/shapes/work/filters.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { m } from "../../messages/messages.js";
import { Stepper } from "../../ui/inputs/stepper.tsx";
import { Switch } from "../../ui/inputs/switch.tsx";
import { withRule, type Draft, type DraftRule } from "./draft.ts";
import { countInputs, formatExactMoney } from "../language/format.ts";
import { warehouseName } from "../offers/offer-place.ts";

/** How many warehouses are listed here; the filters screen has all of them. */
const MAX_ROWS = 4;
const BLOCK_STEP_CENTS = 500;
const HOUR_STEP_CENTS = 100;
/** The least that the stepper reaches; the filters screen takes any amount. */
const MIN_BLOCK_CENTS = 100;

/** The minimum of each selected warehouse, and the hourly minimum for all of them. */
export function QuickMinimums({
  draft,
  onChange,
  currency,
  warehouses,
}: {
  draft: Draft;
  onChange: (next: Draft) => void;
  currency: string;
  warehouses: readonly Warehouse[];
}) {
  const { general } = draft;
  const selected = draft.warehouses.filter((rule) => rule.selected);
  const formatHourly = (cents: number) => m.unit_per_hour({ money: formatExactMoney(cents, currency) });
  return (
    <section aria-labelledby="short-minimums">
      <h3 id="short-minimums" className="font-sans text-base font-semibold">
        {m.filters_short_minimums()}
      </h3>
      <ul className="mt-1 divide-y divide-line">
        {selected.slice(0, MAX_ROWS).map((rule) => (
          <li key={rule.warehouseId} className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 py-2">
            <WarehouseMinimum
              rule={rule}
              name={warehouseName(warehouses.find(({ warehouseId }) => warehouseId === rule.warehouseId))}
              onChange={(next) => onChange(withRule(draft, next))}
              format={{ block: (cents) => formatExactMoney(cents, currency), hour: formatHourly }}
            />
          </li>
        ))}
        <li className="flex flex-wrap items-center justify-end gap-x-3 gap-y-1 py-2">
          <span className="min-w-[min(100%,7rem)] flex-1">{m.filters_short_everywhere()}</span>
          {general.isOn && (
            <Stepper
              label={m.general_title()}
              value={general.cents ?? 0}
              formattedValue={formatHourly(general.cents ?? 0)}
              step={HOUR_STEP_CENTS}
              min={0}
              max={MAX_THRESHOLD_CENTS}
              onChange={(cents) => onChange({ ...draft, general: { isOn: true, cents } })}
            />
          )}
          <Switch
            label={m.general_enable()}
            checked={general.isOn}
            onChange={(isOn) => onChange({ ...draft, general: { ...general, isOn } })}
          />
        </li>
      </ul>
      {selected.length > MAX_ROWS && (
        <p className="text-sm text-soft">{m.filters_short_more(countInputs(selected.length - MAX_ROWS))}</p>
      )}
    </section>
  );
}

/** The minimum that decides there: of the block's pay, or of the hourly pay where only that is used. */
function WarehouseMinimum({
  rule,
  name,
  onChange,
  format,
}: {
  rule: DraftRule;
  name: string;
  onChange: (rule: DraftRule) => void;
  format: { block: (cents: number) => string; hour: (cents: number) => string };
}) {
  const hourly = rule.minHourlyCents ?? 0;
  const price = rule.minPriceCents ?? 0;
  return (
    <>
      <span className="min-w-[min(100%,7rem)] flex-1">{name}</span>
      {rule.onlyHourly ? (
        <Stepper
          label={m.filters_short_minimum_of({ name })}
          value={hourly}
          formattedValue={format.hour(hourly)}
          step={HOUR_STEP_CENTS}
          min={0}
          max={MAX_THRESHOLD_CENTS}
          onChange={(minHourlyCents) => onChange({ ...rule, minHourlyCents })}
        />
      ) : (
        <Stepper
          label={m.filters_short_minimum_of({ name })}
          value={price}
          formattedValue={format.block(price)}
          step={BLOCK_STEP_CENTS}
          min={MIN_BLOCK_CENTS}
          max={MAX_THRESHOLD_CENTS}
          onChange={(minPriceCents) => onChange({ ...rule, minPriceCents })}
        />
      )}
    </>
  );
}
