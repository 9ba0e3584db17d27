/**
 * A date format, in the runtime's own zone where it doesn't know the given one: a device may know fewer zones than the server
 * that names one, and calls its own `Etc/Unknown` where its system has none.
 */
export function makeDateFormat(tag: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat(tag, options);
  } catch {
    return new Intl.DateTimeFormat(tag, { ...options, timeZone: undefined });
  }
}

/** More than the zones of one country. */
const MOST_KEPT = 64;

const kept = new Map<string, string>();

/** A zone by the name that this runtime has for it; undefined if it knows none. */
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
