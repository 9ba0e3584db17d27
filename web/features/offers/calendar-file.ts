import type { EpochMs } from "../../../db/shapes/units.ts";

/** A block as an entry of a calendar. */
export type CalendarEntry = {
  /** Names the entry for ever: a file that is opened twice makes one entry. */
  uid: string;
  /** When the entry was made; the same for every file of one block. */
  stampedAt: EpochMs;
  startsAt: EpochMs;
  endsAt: EpochMs;
  title: string;
  text: string;
  place: string | null;
  position: { latitude: number; longitude: number } | null;
};

/** RFC 5545: a line holds 75 octets at most, its break left out. */
const LINE_OCTETS = 75;

/** The entry as a file (RFC 5545). Times are instants in UTC, so that every calendar shows its own clock's reading. */
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

/** Breaks a long line between letters, never inside one; what goes on begins with a space. */
function foldLine(line: string): string {
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const character of line) {
    const size = new TextEncoder().encode(character).length;
    // A later part has its space to carry.
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
