import { describe, expect, it } from "vitest";
import { toCalendarFile, type CalendarEntry } from "../../../locales/calendar-file.ts";

const entry: CalendarEntry = {
  uid: "blk_7@example.com",
  stampedAt: Date.parse("2026-11-20T10:00:00Z"),
  sequence: 2,
  when: {
    startsAt: Date.parse("2026-11-21T09:34:00-05:00"),
    endsAt: Date.parse("2026-11-21T12:34:00-05:00"),
  },
  title: "Block: Maspeth (DBK1), $64",
  text: "$64 for 3 hr",
  place: "55-15 Grand Ave, Maspeth, NY 11378",
  position: { latitude: 40.7196, longitude: -73.9107 },
};

const write = (change: Partial<CalendarEntry> = {}) =>
  toCalendarFile({ product: "Jornada", entries: [{ ...entry, ...change }] });
/** The lines as a calendar reads them: folded ones whole again. */
const read = (file: string) => file.replaceAll("\r\n ", "").split("\r\n");

describe("a block's calendar file", () => {
  it("is one entry with its instants in UTC, whatever zone the block is in", () => {
    expect(read(write())).toEqual([
      "BEGIN:VCALENDAR",
      "VERSION:2.0",
      "PRODID:-//Jornada//Blocks//EN",
      "CALSCALE:GREGORIAN",
      "METHOD:PUBLISH",
      "BEGIN:VEVENT",
      "UID:blk_7@example.com",
      "DTSTAMP:20261120T100000Z",
      "SEQUENCE:2",
      "DTSTART:20261121T143400Z",
      "DTEND:20261121T173400Z",
      String.raw`SUMMARY:Block: Maspeth (DBK1)\, $64`,
      "DESCRIPTION:$64 for 3 hr",
      String.raw`LOCATION:55-15 Grand Ave\, Maspeth\, NY 11378`,
      "GEO:40.719600;-73.910700",
      "STATUS:CONFIRMED",
      "TRANSP:OPAQUE",
      "END:VEVENT",
      "END:VCALENDAR",
      "",
    ]);
  });

  it.each([
    ["before the clock goes back", "2026-11-01T01:30:00-04:00", "20261101T053000Z"],
    ["after the clock went back", "2026-11-01T01:30:00-05:00", "20261101T063000Z"],
    ["over midnight, into a new year", "2026-12-31T22:00:00-05:00", "20270101T030000Z"],
  ])("tells an instant %s by itself", (_name, startsAt, written) => {
    const at = Date.parse(startsAt);
    expect(read(write({ when: { startsAt: at, endsAt: at + 3_600_000 } }))).toContain(`DTSTART:${written}`);
  });

  it("escapes what a calendar would read as its own signs, and lets no line break in", () => {
    const file = write({ title: "a;b,c\\d\nBEGIN:VALARM\r\nX:1", text: "tab\there" });
    expect(read(file)).toContain(String.raw`SUMMARY:a\;b\,c\\d\nBEGIN:VALARM\nX:1`);
    expect(read(file)).toContain("DESCRIPTION:tabhere");
  });

  it("folds after 75 octets and never inside a letter", () => {
    const text = `${"São Paulo, número 45, galpão 🚚 ".repeat(9)}fim`;
    const file = write({ text });
    const octets = file.split("\r\n").map((line) => new TextEncoder().encode(line).length);
    expect(Math.max(...octets)).toBeLessThanOrEqual(75);
    expect(file).not.toContain("\uFFFD");
    expect(read(file)).toContain(`DESCRIPTION:${text.replaceAll(",", String.raw`\,`)}`);
  });

  it("leaves out where it is when nobody knows", () => {
    const lines = read(write({ place: null, position: null }));
    expect(lines.filter((line) => /^(LOCATION|GEO)/.test(line))).toEqual([]);
  });
});
