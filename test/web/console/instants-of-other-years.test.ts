import { createElement } from "react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { ActTable } from "../../../web/console/acts/act-table.tsx";
import { DAY_MS } from "../../../db/shapes/units.ts";
import { NOON } from "../../engine/fixtures.ts";
import { DONE, readPart } from "../../support/console-part.ts";

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => void vi.useRealTimers());

it("names the year of an act in the log from half a year away on", () => {
  const acts = [100, 365, 730].map((days) => ({ ...DONE.act, id: `a${days}`, at: NOON - days * DAY_MS }));
  const texts = readPart(createElement(ActTable, { acts }));
  const days = texts.flatMap((text) => /^[A-Z][a-z]{2}.\d+(?:, \d{4})?(?=,)/u.exec(text)?.[0] ?? []);
  expect(days.map((day) => day.replaceAll(/\s/gu, " "))).toEqual(["Mar 2", "Jun 10, 2025", "Jun 10, 2024"]);
});
