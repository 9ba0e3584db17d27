import type { Language } from "../../../db/shapes/language.ts";
import { MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { Place } from "../../../db/shapes/log/attempt.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { dateFormat, formatHours, formatMoney, formatTime } from "../../../locales/format.ts";
import type { DriverState } from "../../engine/state/types.ts";

/** The context that the words of a message depend on. */
export type BlockReading = {
  language: Language;
  timeZone: string;
  now: EpochMs;
  state: Pick<DriverState, "warehouses">;
};

/**
 * A block's fields, formatted for the message: in the zone of its place, as it was when it was tried. Where nobody knows that
 * place any more, in the driver's own, which is said.
 */
export function blockValues(
  block: Pick<Block, "warehouseId" | "startsAt" | "endsAt" | "payCents" | "currency">,
  place: Place | null,
  { language, state, now, timeZone }: BlockReading,
) {
  const known = place ?? state.warehouses.find(({ warehouseId }) => warehouseId === block.warehouseId);
  const zone = known?.timeZone ?? timeZone;
  const start = formatTime(language, block.startsAt, { timeZone: zone, now });
  return {
    where: known?.name ?? formatMessage(language, "warehouse_unnamed"),
    start: known ? start : `${start} ${zoneName(language, block.startsAt, zone)}`,
    pay: formatMoney(language, block.payCents, block.currency),
    hours: formatHours(language, (block.endsAt - block.startsAt) / MINUTE_MS),
  };
}

/** `EST`, `GMT-3`. */
function zoneName(language: Language, at: EpochMs, timeZone: string): string {
  const parts = dateFormat(language, { timeZone, timeZoneName: "short" }).formatToParts(at);
  return parts.find(({ type }) => type === "timeZoneName")?.value ?? timeZone;
}

/** `sab` for `sáb`: the one accent of a capture's text, which would make each of them twice as long. */
export function withoutAccents(time: string): string {
  return time.normalize("NFD").replaceAll(/\p{Diacritic}/gu, "");
}
