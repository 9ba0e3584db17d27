import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DAY_MS, driverId, HOUR_MS } from "../../../db/shapes/units.ts";
import type { ErrorsResponse, OperatorAnnouncements } from "../../../worker/contract/console/voice.ts";
import { announcementListQuery, errorsQuery, feedbackListQuery } from "../../../web/console/calls/voice.ts";
import { AnnouncementsSection } from "../../../web/console/voice/announcements-section.tsx";
import { changeOf, ErrorsSection } from "../../../web/console/voice/errors-section.tsx";
import { FeedbackSections } from "../../../web/console/voice/voice-screen.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { clockAt, htmlOf, OWNER, SUPPORT } from "../../support/console-part.ts";
import { rowsOf } from "../../support/html-text.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  vi.stubGlobal("location", new URL("https://jornada.test/ops/voice"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type Line = OperatorAnnouncements["announcements"][number];
const line: Line = {
  id: "line-1",
  text: { en: "Rain ahead", es: "Viene lluvia", pt: "Vem chuva" },
  audience: { kind: "all" },
  startsAt: NOON - HOUR_MS,
  endsAt: NOON + HOUR_MS,
  told: 1_200,
  isTold: true,
  pushes: { sent: 40, failed: 0, pending: 0 },
};
const announcementsOf = (lines: readonly Partial<Line>[], me = OWNER) =>
  rowsOf(
    htmlOf(
      createElement(AnnouncementsSection),
      [
        [
          announcementListQuery.queryKey,
          {
            announcements: lines.map((fields, index) => ({ ...line, id: String(index), ...fields })),
            cities: [],
          },
        ],
      ],
      me,
    ),
    "Announcements",
  ).slice(1);

it("lists each announcement with its audience, its span, and how many it has reached", () => {
  const rows = announcementsOf([
    {},
    { audience: { kind: "city", city: "Boise" }, isTold: false },
    { audience: { kind: "language", language: "es" }, pushes: { sent: 0, failed: 2, pending: 3 } },
    { audience: null },
  ]);
  const [from, until] = [clockAt(NOON - HOUR_MS), clockAt(NOON + HOUR_MS)];
  const row = (audience: string, told: string, pushes: string) => [
    `Rain ahead${audience && `${audience}, `}Until ${until}${pushes}`,
    audience,
    from,
    until,
    told,
    pushes,
    "Take back",
  ];
  expect(rows).toEqual([
    row("All drivers", "1,200", "40 sent"),
    row("Boise", "1,200…", "40 sent"),
    row("Español", "1,200", "0 sent2 failed3 still going"),
    row("", "1,200", "40 sent"),
  ]);
});

it("offers owners to take back what is not over, and says to support how each stands", () => {
  const spans = [
    { startsAt: NOON + HOUR_MS, endsAt: NOON + 2 * HOUR_MS },
    {},
    { startsAt: NOON, endsAt: NOON + 1 },
    { endsAt: NOON },
  ];
  const lastOf = (me: typeof OWNER) => announcementsOf(spans, me).map((row) => row.at(-1));
  expect(lastOf(OWNER)).toEqual(["Take back", "Take back", "Take back", "Over"]);
  expect(lastOf(SUPPORT)).toEqual(["Ahead", "Shown now", "Shown now", "Over"]);
});

type PageError = ErrorsResponse["errors"][number];
const error: PageError = {
  id: "e",
  caller: "error_page",
  name: "TypeError",
  message: "x is undefined",
  place: "/offers",
  reports: 1_200,
  drivers: 12,
  firstSeenAt: NOON - HOUR_MS,
  lastSeenAt: NOON,
  requestId: "r",
  stack: "at offers.tsx",
  versions: [
    { version: "1.2.0", reports: 3 },
    { version: "1.1.0", reports: 1 },
  ],
  status: "open",
};
const errorRow = (fields: Partial<PageError>, me = OWNER) =>
  rowsOf(
    htmlOf(createElement(ErrorsSection), [[errorsQuery.queryKey, { errors: [{ ...error, ...fields }] }]], me),
    "Errors in pages",
  )[1];

it("lists each error of a page with where, how often and in which versions it was met", () => {
  const facts = ["1,200", "12", clockAt(NOON - HOUR_MS), clockAt(NOON), "1.2.0, 1.1.0"];
  expect(errorRow({})).toEqual([
    "TypeError: x is undefinederror_page, /offersExampleRequest rat offers.tsx",
    ...facts,
    "OpenResolve",
  ]);
  expect(errorRow({ message: null, place: null, stack: null })?.[0]).toBe(
    "TypeErrorerror_pageExampleRequest r",
  );
});

it("offers owners to resolve an error, and to reopen one that is resolved", () => {
  const statuses = ["open", "back", "resolved"] as const;
  expect(statuses.map((status) => errorRow({ status })?.at(-1))).toEqual([
    "OpenResolve",
    "Resolved, and backResolve",
    "ResolvedReopen",
  ]);
  expect(statuses.map((status) => errorRow({ status }, SUPPORT)?.at(-1))).toEqual([
    "Open",
    "Resolved, and back",
    "Resolved",
  ]);
  const resolve = {
    act: "resolve_error",
    label: "Resolve",
    note: "It opens again by itself as soon as a page reports it again.",
  };
  const reopen = { act: "reopen_error", label: "Reopen" };
  expect(statuses.map((status) => changeOf({ ...error, status }))).toEqual([
    resolve,
    resolve,
    { ...reopen, note: "x is undefined" },
  ]);
  expect(changeOf({ ...error, status: "resolved", message: null })).toEqual({
    ...reopen,
    note: "error_page",
  });
});

it("sums up each week's opinions: the average to a tenth, and none where nobody gave a score", () => {
  const week = { at: Date.UTC(2026, 5, 8), answers: 1_203, skipped: 1, average: 8.666, net: -12 };
  const comment = {
    id: "c",
    at: NOON,
    score: 9,
    comment: "It finds blocks",
    driverId: driverId.parse("driver-1-of-many"),
    name: "Ana",
    phone: "••• 0100",
  };
  const weeks = [week, { ...week, at: week.at - 7 * DAY_MS, average: null, net: null }];
  const comments = [comment, { ...comment, id: "d", score: null, name: null, phone: null }];
  const sections = (cursor: string | null) =>
    htmlOf(createElement(FeedbackSections), [
      [
        feedbackListQuery.queryKey,
        {
          pages: [
            { weeks, comments, cursor: "1.c" },
            { weeks: [], comments: [{ ...comment, id: "e" }], cursor },
          ],
          pageParams: [null, "1.c"],
        },
      ],
    ]);
  const html = sections(null);
  expect(rowsOf(html, "What drivers think").slice(1)).toEqual([
    ["Mon, Jun 8", "1,203", "8.7", "-12", "1"],
    ["Mon, Jun 1", "1,203", "–", "–", "1"],
  ]);
  const row = ["9", "It finds blocks", "Ana••• 0100", clockAt(NOON)];
  expect(rowsOf(html, "Comments").slice(1)).toEqual([
    row,
    ["", "It finds blocks", "driver-1", clockAt(NOON)],
    row,
  ]);
  const isMoreOffered = (cursor: string | null) => sections(cursor).includes("Show earlier");
  expect([isMoreOffered(null), isMoreOffered("1.e")]).toEqual([false, true]);
});
