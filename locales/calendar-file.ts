import type { EpochMs } from "../../../db/shapes/units.ts";

/** A block as a calendar entry. */
export type CalendarEntry = {
  /** Stable: a file that is opened twice makes one entry. */
  uid: string;
  /** When the entry was created; the same in every file of one block. */
  stampedAt: EpochMs;
  startsAt: EpochMs;
  endsAt: EpochMs;
  title: string;
  text: string;
  place: string | null;
  position: { latitude: number; longitude: number } | null;
};

/** RFC 5545: at most 75 octets per line, without its break. */
const LINE_OCTETS = 75;

/** The entry as an iCalendar file (RFC 5545). Times are in UTC, so that every calendar shows them in its own zone. */
export function toCalendarFile(entry: CalendarEntry, { product }: { product: string }): string {
  const { uid, stampedAt, startsAt, endsAt, title, text, place, position } = entry;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//${escapeText(product)}//Blocks//EN`,
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${escapeText(uid)}`,
    `DTSTAMP:${formatUtc(stampedAt)}`,
    `DTSTART:${formatUtc(startsAt)}`,
    `DTEND:${formatUtc(endsAt)}`,
    `SUMMARY:${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    ...(place === null ? [] : [`LOCATION:${escapeText(place)}`]),
    ...(position === null ? [] : [`GEO:${position.latitude.toFixed(6)};${position.longitude.toFixed(6)}`]),
    "STATUS:CONFIRMED",
    "TRANSP:OPAQUE",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${foldLine(line)}\r\n`).join("");
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

/** Folds a long line between characters, never inside one; continuation lines start with a space. */
function foldLine(line: string): string {
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
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
