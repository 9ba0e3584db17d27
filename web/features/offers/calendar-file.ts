import type { EpochMs } from "../../../durable/engine/units.ts";

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
export function writeCalendar(entry: CalendarEntry, { product }: { product: string }): string {
  const { uid, stampedAt, startsAt, endsAt, title, text, place, position } = entry;
  const lines = [
    "BEGIN:VCALENDAR",
    "VERSION:2.0",
    `PRODID:-//${escape(product)}//Blocks//EN`,
    "CALSCALE:GREGORIAN",
    "METHOD:PUBLISH",
    "BEGIN:VEVENT",
    `UID:${escape(uid)}`,
    `DTSTAMP:${utc(stampedAt)}`,
    `DTSTART:${utc(startsAt)}`,
    `DTEND:${utc(endsAt)}`,
    `SUMMARY:${escape(title)}`,
    `DESCRIPTION:${escape(text)}`,
    ...(place === null ? [] : [`LOCATION:${escape(place)}`]),
    ...(position === null ? [] : [`GEO:${position.latitude.toFixed(6)};${position.longitude.toFixed(6)}`]),
    "STATUS:CONFIRMED",
    "TRANSP:OPAQUE",
    "END:VEVENT",
    "END:VCALENDAR",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

/** `20261121T143400Z`. */
function utc(at: EpochMs): string {
  return `${new Date(at).toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;
}

function escape(text: string): string {
  return text
    .replaceAll(/[\\;,]/g, String.raw`\$&`)
    .replaceAll(/\r\n|\r|\n/g, String.raw`\n`)
    .replaceAll(/\p{Cc}/gu, "");
}

/** Breaks a long line between letters, never inside one; what goes on begins with a space. */
function fold(line: string): string {
  const parts: string[] = [];
  let part = "";
  let octets = 0;
  for (const letter of line) {
    const size = new TextEncoder().encode(letter).length;
    // A later part has its space to carry.
    if (octets + size > LINE_OCTETS - (parts.length > 0 ? 1 : 0)) {
      parts.push(part);
      part = "";
      octets = 0;
    }
    part += letter;
    octets += size;
  }
  return [...parts, part].join("\r\n ");
}
