import { useQuery } from "@tanstack/react-query";
import { INITIAL_RULE } from "../../../db/shapes/work/filters.ts";
import type { Cents, WarehouseId } from "../../../db/shapes/units.ts";
import { cityHoursQuery } from "../../api/queries/statistics.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { formatRate } from "../language/format.ts";
import { warehouseName } from "../offers/offer-place.ts";
import { useWarehouses } from "../offers/warehouses.ts";

/** Proposes an hourly minimum from what all drivers were offered, as long as the driver has not chosen one. */
export function StartingMinimum({
  warehouseId,
  minHourlyCents,
  currency,
  onChoose,
}: {
  warehouseId: WarehouseId;
  minHourlyCents: number | null;
  currency: string;
  onChoose: (minHourlyCents: Cents) => void;
}) {
  const isUnchosen = minHourlyCents === INITIAL_RULE.minHourlyCents;
  const { data } = useQuery({ ...cityHoursQuery, enabled: isUnchosen });
  const warehouse = useWarehouses().find((known) => known.warehouseId === warehouseId);
  const city = data?.warehouses.find((known) => known.warehouseId === warehouseId);
  if (!isUnchosen || !city || city.medianHourlyCents <= minHourlyCents) return null;
  const rate = formatRate(city.medianHourlyCents, currency);
  return (
    <div
      className="grid justify-items-start gap-2 rounded-field bg-sunken p-3"
      data-testid="starting-minimum"
    >
      <p className="figures text-sm">{m.hours_city_half({ warehouse: warehouseName(warehouse), rate })}</p>
      <Button variant="plain" onClick={() => onChoose(city.medianHourlyCents)}>
        {m.hours_city_use({ rate })}
      </Button>
    </div>
  );
}
