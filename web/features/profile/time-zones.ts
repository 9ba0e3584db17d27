import { formatZoneName } from "../language/format.ts";

/** Where the drivers of a US platform are. Any other zone is listed only where it is the driver's. */
const REGIONS = /^(?:America|Pacific)\//;

/** The time zones to choose from, by city: `New York · Eastern Time`. */
export function timeZoneOptions(current: string): { value: string; label: string }[] {
  const zones = Intl.supportedValuesOf("timeZone").filter((zone) => REGIONS.test(zone));
  return [...new Set([...zones, current])]
    .map((zone) => ({ value: zone, label: `${cityOf(zone)} · ${formatZoneName(zone)}` }))
    .toSorted((one, other) => one.label.localeCompare(other.label));
}

/** `Indiana, Knox` from `America/Indiana/Knox`. */
function cityOf(zone: string): string {
  const [first = zone, ...rest] = zone.split("/");
  return (rest.length > 0 ? rest : [first]).join(", ").replaceAll("_", " ");
}
