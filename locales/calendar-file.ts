import type { EpochMs } from "../db/shapes/units.ts";

/** An entry of a calendar. */
export type CalendarEntry = {
  /** Stable: a file that is opened twice makes one entry, and a changed entry moves. */
  uid: string;
  /** When the entry was made or last changed; the same in every file until the next change. */
  stampedAt: EpochMs;
  /** How often it was changed. */
  sequence: number;
  /** A span, or a whole day as `2026-11-21`. */
  when: { startsAt: EpochMs; endsAt: EpochMs } | { day: string };
  title: string;
  text: string;
  place: string | null;
  position: { latitude: number; longitude: number } | null;
};

/** Entries and their maker. `feed`: a calendar that programs ask for again. */
export type CalendarFile = {
  product: string;
  entries: readonly CalendarEntry[];
  feed?: { name: string; refreshMinutes: number };
};

/** RFC 5545: at most 75 octets per line, without its break. */
const LINE_OCTETS = 75;

/**
 * The entries as an iCalendar file (RFC 5545; a feed's name and interval by RFC 7986, and as programs of before read them).
 * Times are in UTC, so that every calendar shows them in its own zone.
 */
export function toCalendarFile({ product, entries, feed }: CalendarFile): string {
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//${escapeText(product)}//Blocks//EN`,
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    ...(feed
      ? [
          `NAME:${escapeText(feed.name)}`,
          `X-WR-CALNAME:${escapeText(feed.name)}`,
          `REFRESH-INTERVAL;VALUE=DURATION:PT${feed.refreshMinutes}M`,
          `X-PUBLISHED-TTL:PT${feed.refreshMinutes}M`,
        ]
      : []),
    ...entries.flatMap(toEvent),
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
}

function toEvent({ uid, stampedAt, sequence, when, title, text, place, position }: CalendarEntry): string[] {
  return [
    "BEGIN:VEVENT",
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${formatUtc(stampedAt)}`,
    `SEQUENCE:${sequence}`,
    ...("day" in when
      ? [`DTSTART;VALUE=DATE:${when.day.replaceAll("-", "")}`]
      : [`DTSTART:${formatUtc(when.startsAt)}`, `DTEND:${formatUtc(when.endsAt)}`]),
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    ...(place === null ? [] : [`LOCATION:${escapeText(place)}`]),
    ...(position === null ? [] : [`GEO:${position.latitude.toFixed(6)};${position.longitude.toFixed(6)}`]),
    "STATUS:CONFIRMED",
    // A day's notice keeps nobody busy.
    `TRANSP:${"day" in when ? "TRANSPARENT" : "OPAQUE"}`,
    "END:VEVENT",
  ];
}

/** `20261121T143400Z`. */
function formatUtc(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

function escapeText(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, "");
}

/** The length of a character in UTF-8. */
function octetsOf(character: string): number {
  const point = character.codePointAt(0) ?? 0;
  if (point < 0x80) return 1;
  if (point < 0x800) return 2;
  return point < 0x10000 ? 3 : 4;
}

/** Folds a long line between characters, never inside one; continuation lines start with a space. */
function foldLine(line: string): string {
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of line) {
    const size = octetsOf(character);
    // A continuation line starts with a space, which counts.
    if (octets + size > LINE_OCTETS - (parts.length > 0 ? 1 : 0)) {
      parts.push(part);
      part = "";
      octets = 0;
    }
    part += character;
    octets += size;
  }
  return [...parts, part].join("\r\n ");
}
