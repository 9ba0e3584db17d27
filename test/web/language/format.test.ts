import { expect, it } from "vitest";
import type { Language } from "../../../db/shapes/language.ts";
import { countInputs, formatDate, formatElapsed, formatTime, formatUntil } from "../../../locales/format.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { DEVICE_TIME_ZONE, dayKey } from "../../../web/features/language/format.ts";
import { capitalize } from "../../../web/features/language/capitalize.ts";
import { m } from "../../../web/messages/messages.js";

const NEW_YORK = "America/New_York";
const at = (local: string) => Date.parse(local);
/** A Saturday evening in New York, on which it is Sunday already in UTC. */
const NOW = at("2026-11-21T22:30:00-05:00");

it.each([
  ["today", "2026-11-21T16:30:00-05:00", "4:30 PM", "4:30 p.m.", "16:30"],
  ["the last minute of today", "2026-11-21T23:59:00-05:00", "11:59 PM", "11:59 p.m.", "23:59"],
  ["this morning", "2026-11-21T03:57:00-05:00", "3:57 AM", "3:57 a.m.", "03:57"],
  ["tomorrow", "2026-11-22T00:10:00-05:00", "Sun 12:10 AM", "dom 12:10 a.m.", "dom., 00:10"],
  ["yesterday", "2026-11-20T23:59:00-05:00", "Fri 11:59 PM", "vie 11:59 p.m.", "sex., 23:59"],
  ["in six days", "2026-11-27T16:30:00-05:00", "Fri 4:30 PM", "vie 4:30 p.m.", "sex., 16:30"],
  ["in a week", "2026-11-28T16:30:00-05:00", "Nov 28, 4:30 PM", "28 nov, 4:30 p.m.", "28 de nov., 16:30"],
  ["a week ago", "2026-11-14T16:30:00-05:00", "Nov 14, 4:30 PM", "14 nov, 4:30 p.m.", "14 de nov., 16:30"],
])("names the day of a time %s only where it is another day", (_when, local, en, es, pt) => {
  const format = (language: Language) =>
    plain(formatTime(language, at(local), { now: NOW, timeZone: NEW_YORK }));
  expect([format("en"), format("es"), format("pt")]).toEqual([en, es, pt]);
});

it.each([
  ["second", "12 sec. ago", "hace 12 s", "há 12 seg"],
  ["minute", "12 min. ago", "hace 12 min", "há 12 min"],
  ["hour", "12 hr. ago", "hace 12 h", "há 12 h"],
] as const)("ends no age in a period, which is its sentence's: of a %s", (unit, en, es, pt) => {
  const format = (language: Language) => plain(formatElapsed(language, 12, { unit, style: "short" }));
  expect([format("en"), format("es"), format("pt")]).toEqual([en, es, pt]);
});

it("says now, and not that nothing has passed", () => {
  const format = (language: Language) => formatElapsed(language, 0, { unit: "second", style: "narrow" });
  expect([format("en"), format("es"), format("pt")]).toEqual(["now", "ahora", "agora"]);
});

it("names a date in as little room as each language has for it", () => {
  const format = (language: Language) => formatDate(language, NOW, NEW_YORK);
  expect([format("en"), format("es"), format("pt")]).toEqual(["Sat, Nov 21", "sáb, 21 nov", "sáb., 21/11"]);
});

it("decides by the day of the zone that it is given", () => {
  const midnight = at("2026-11-22T00:30:00-05:00");
  const inZone = (timeZone: string) => plain(formatTime("en", midnight, { now: NOW, timeZone }));
  expect([inZone(NEW_YORK), inZone("America/Los_Angeles"), inZone("UTC")]).toEqual([
    "Sun 12:30 AM",
    "9:30 PM",
    "5:30 AM",
  ]);
});

// Of a device without a zone, and one that a server knows sooner than a device.
it.each(["Etc/Unknown", "America/Founded_Tomorrow"])(
  "is in the device's own zone where %s is given",
  (zone) => {
    const texts = (timeZone: string) => [
      formatTime("en", NOW, { now: NOW, timeZone }),
      formatUntil("es", NOW, { now: NOW - 30 * 3_600_000, timeZone }),
      formatDate("pt", NOW, timeZone),
      dayKey(NOW, timeZone),
    ];
    expect(texts(zone)).toEqual(texts(DEVICE_TIME_ZONE));
  },
);

it("takes the same day of another year for another day", () => {
  const time = formatTime("en", at("2025-11-21T16:30:00-05:00"), { now: NOW, timeZone: NEW_YORK });
  expect(plain(time)).toBe("Nov 21, 4:30 PM");
});

it("tells the day by the wall clock where a day has 25 hours", () => {
  const reading = { now: at("2026-11-01T00:10:00-04:00"), timeZone: NEW_YORK };
  expect(plain(formatTime("en", at("2026-11-01T23:50:00-05:00"), reading))).toBe("11:50 PM");
  expect(plain(formatTime("en", at("2026-11-02T00:10:00-05:00"), reading))).toBe("Mon 12:10 AM");
});

it("shows seconds on request", () => {
  const reading = { now: NOW, timeZone: NEW_YORK, seconds: true };
  expect(plain(formatTime("en", at("2026-11-21T16:30:07-05:00"), reading))).toBe("4:30:07 PM");
  expect(plain(formatTime("en", at("2026-11-20T16:30:07-05:00"), reading))).toBe("Fri 4:30:07 PM");
});

it.each([
  ["2026-11-21T16:30:00-05:00", "4:30 PM", "las 4:30 p.m.", "16:30"],
  ["2026-11-21T13:10:00-05:00", "1:10 PM", "la 1:10 p.m.", "13:10"],
  ["2026-11-21T12:30:00-05:00", "12:30 PM", "las 12:30 p.m.", "12:30"],
  ["2026-11-22T13:10:00-05:00", "Sun 1:10 PM", "el dom 1:10 p.m.", "dom., 13:10"],
  ["2026-12-05T16:30:00-05:00", "Dec 5, 4:30 PM", "el 5 dic, 4:30 p.m.", "5 de dez., 16:30"],
])("puts the Spanish article before a time that follows 'until': %s", (local, en, es, pt) => {
  const until = (language: Language) =>
    plain(formatUntil(language, at(local), { now: NOW, timeZone: NEW_YORK }));
  expect([until("en"), until("es"), until("pt")]).toEqual([en, es, pt]);
});

/**
 * The languages differ over one and a half, and group digits differently; Intl's Portuguese nothing is one, as nobody
 * writes.
 */
const COUNTS = [
  ["en", 0, "0 days"],
  ["en", 1, "1 day"],
  ["en", 1.5, "1.5 days"],
  ["en", 12_345, "12,345 days"],
  ["es", 0, "0 días"],
  ["es", 1, "1 día"],
  ["es", 12_345, "12,345 días"],
  ["es", 1_000_000, "1,000,000 días"],
  ["pt", 0, "0 dias"],
  ["pt", 1, "1 dia"],
  ["pt", 1.5, "1,5 dia"],
  ["pt", 2, "2 dias"],
  ["pt", 12_345, "12.345 dias"],
] as const;

it.each(COUNTS)("counts in %s by the language's own plural rules: %s", (language, count, text) => {
  const inputs = countInputs(language, count);
  expect([formatMessage(language, "unit_days", inputs), m.unit_days(inputs, { locale: language })]).toEqual([
    text,
    text,
  ]);
});

it.each([
  ["en", "Your filters have 1 more warehouse.", "Your filters have 2 more warehouses."],
  ["es", "Hay 1 almacén más en", "Hay 2 almacenes más en"],
  ["pt", "Há mais 1 galpão selecionado nos", "Há mais 2 galpões selecionados nos"],
] as const)("counts further warehouses in %s: %s, %s", (language, one, two) => {
  const of = (count: number) => m.filters_short_more(countInputs(language, count), { locale: language });
  expect([of(1).startsWith(one), of(2).startsWith(two)]).toEqual([true, true]);
});

it("shows a number in a server's message as the language writes it", () => {
  expect(formatMessage("pt", "pay_button_points", { points: 3000 })).toBe("Pagar com 3.000 pontos");
});

it("refuses to choose a plural form without a count", () => {
  expect(() => formatMessage("en", "unit_days", { figure: "1" })).toThrow(TypeError);
});

/** Intl puts narrow spaces between figure and unit, which no expectation should hide. */
function plain(text: string): string {
  return text.replace(/[\u00A0\u202F]/g, " ");
}

it("begins a line with a capital, and leaves the rest as it is", () => {
  expect(["domingo", "às 10:00 de NY", ""].map(capitalize)).toEqual(["Domingo", "Às 10:00 de NY", ""]);
});
