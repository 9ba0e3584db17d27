import { globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { toAmount, toCsv, toInstant } from "../../web/ui/csv.ts";
import {
  daysOfSearch,
  daysUpTo,
  netOf,
  parseDays,
  sumBy,
  sumOf,
} from "../../web/console/money/money-days.ts";

const columns = [
  { title: "Nombre", value: ({ name }: { name: string | null; cents: number }) => name },
  { title: "Importe, USD", value: ({ cents }: { cents: number }) => toAmount(cents) },
];

it("has a mark that says UTF-8, the columns' names, and quotes where they are needed", () => {
  const rows = [
    { name: "Ana 'Nita' Peña", cents: 5022 },
    { name: 'So "called", Zé\nJr.', cents: -100 },
    { name: null, cents: 0 },
  ];
  expect(toCsv(columns, rows)).toBe(
    `\uFEFFNombre,"Importe, USD"\r\nAna 'Nita' Peña,50.22\r\n"So ""called"", Zé\nJr.",-1\r\n,0\r\n`,
  );
});

it.each([
  ["en-US", `Name,"Amount, USD"\r\n"Ana; Zé",50.22\r\n`],
  ["es-MX", `Name,"Amount, USD"\r\n"Ana; Zé",50.22\r\n`],
  ["es-ES", `Name;"Amount, USD"\r\n"Ana; Zé";50,22\r\n`],
  ["pt-BR", `Name;"Amount, USD"\r\n"Ana; Zé";50,22\r\n`],
])("has the separator and the decimals that Excel wants in %s", (locale, file) => {
  const named = [
    { ...columns[0]!, title: "Name" },
    { ...columns[1]!, title: "Amount, USD" },
  ];
  expect(toCsv(named, [{ name: "Ana; Zé", cents: 5022 }], locale)).toBe(`\uFEFF${file}`);
});

it.each(["=1+1", "+15550100100", "-2", "@SUM(A1)", "\t=1", "\r=1", '=HYPERLINK("https://x.example")'])(
  "has no text that a spreadsheet would run: %j",
  (name) => {
    const line = toCsv(columns, [{ name, cents: 1 }])
      .split("\r\n")
      .slice(1)
      .join("\r\n");
    expect(line.replace(/^"/, "")).toMatch(/^'/);
  },
);

it("writes instants as every spreadsheet reads them", () => {
  expect([toInstant(Date.UTC(2026, 10, 22, 9, 5)), toInstant(null)]).toEqual(["2026-11-22 09:05:00", null]);
});

it("takes days in order, at most a year, and the last 30 where an address has none", () => {
  expect(daysUpTo("2026-03-01", 1)).toEqual({ from: "2026-03-01", to: "2026-03-01" });
  expect(daysUpTo("2026-03-01", 7)).toEqual({ from: "2026-02-23", to: "2026-03-01" });
  expect(parseDays({ from: "2026-03-02", to: "2026-03-01" })).toBeNull();
  expect(parseDays({ from: "2025-01-01", to: "2026-03-01" })).toBeNull();
  expect(parseDays({ from: "", to: "2026-03-01" })).toBeNull();
  expect(daysOfSearch("?from=2026-01-01&to=2026-01-02", "2026-03-01")).toEqual({
    from: "2026-01-01",
    to: "2026-01-02",
  });
  expect(daysOfSearch("?from=x", "2026-03-01")).toEqual({ from: "2026-01-31", to: "2026-03-01" });
});

it("adds revenue up by day and by plan, net of what went back", () => {
  const line = { payments: 1, grossCents: 5000, refundedCents: 1000, disputedCents: 500 };
  const lines = [
    { ...line, day: "2026-03-02", plan: "7days" as const },
    { ...line, day: "2026-03-02", plan: "14days" as const },
    { ...line, day: "2026-03-01", plan: "7days" as const },
  ];
  expect(sumBy(lines, ({ day }) => day).map(({ key, grossCents }) => [key, grossCents])).toEqual([
    ["2026-03-02", 10_000],
    ["2026-03-01", 5000],
  ]);
  expect(netOf(sumOf(lines))).toBe(10_500);
});

it("can be had of every table of the console", () => {
  const folder = new URL("../../web/console/", import.meta.url);
  const without = globSync("**/*.tsx", { cwd: folder })
    // The log of acts, which its screens export, and the queue of requests, whose decisions are in that log.
    .filter((name) => !name.endsWith("act-table.tsx") && !name.endsWith("requests-screen.tsx"))
    .filter((name) => {
      const source = readFileSync(new URL(name, folder), "utf8");
      const count = (pattern: RegExp) => [...source.matchAll(pattern)].length;
      return (
        count(/<(?:Data|Act)Table\b/g) >
        count(/<(?:CsvButton|ExportButton|DriverCsv)$|<(?:CsvButton|ExportButton|DriverCsv)\s/gm)
      );
    });
  expect(without).toEqual([]);
});
