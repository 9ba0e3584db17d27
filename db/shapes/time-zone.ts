/** More than the zones of one country; a runtime's zones are some hundreds. */
const MOST_KEPT = 64;

const kept = new Map<string, string>();

/**
 * A zone by the name that this runtime has for it; undefined if it knows none, which `Intl` takes for the runtime's own zone. A
 * device may know fewer zones than the server, or more, and calls its own `Etc/Unknown` where its system names none.
 */
export function knownTimeZone(timeZone: string): string | undefined {
  const known = kept.get(timeZone) ?? askIntl(timeZone);
  if (known === undefined) return undefined;
  if (kept.size >= MOST_KEPT) kept.clear();
  kept.set(timeZone, known);
  return known;
}

function askIntl(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}
