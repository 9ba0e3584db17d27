import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { Block } from "../../../db/shapes/work/offer.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { NextBlock } from "../../../web/features/dashboard/next-block.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { htmlOfPart, textsIn } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => {
  vi.useFakeTimers({ now: NOON, toFake: ["Date"] });
  vi.stubGlobal("location", new URL("https://jornada.test/flex/dashboard"));
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const blockAt = (hours: number, lengthHours: number, payCents: number): Block => {
  const startsAt = NOON + hours * HOUR_MS;
  return makeBlock(
    makeOffer(`at-${hours}`, { startsAt, endsAt: startsAt + lengthHours * HOUR_MS, payCents }),
  );
};

const htmlWith = (held: Block[]) =>
  htmlOfPart(
    createElement(NextBlock, {
      system: { held, warehouses: [makeWarehouse()], phase: { kind: "polling" }, isLinked: true },
    }),
    {
      answered: [
        [userQuery.queryKey, RECORD],
        [configQuery.queryKey, { giveBack: { minutes: 45, url: null } }],
      ],
    },
  );
const stripOf = (html: string) =>
  html.slice(html.indexOf('data-testid="week-strip"') - 1).split("</a>")[0] ?? "";
/** The strip's last line, and how tall the days' columns are. */
const readStrip = async (held: Block[]) => {
  const strip = stripOf(await htmlWith(held));
  const texts = textsIn(`<a ${strip}`);
  return {
    line: texts.slice(7),
    heights: [...strip.matchAll(/height:([\d.]+%)/gu)].map(([, height]) => height),
  };
};

it.each<[what: string, held: Block[], line: string[], heights: string[]]>([
  ["nothing", [], ["0 blocks in the next 7 days"], []],
  ["one block", [blockAt(3, 4, 9000)], ["1 block in the next 7 days", "$90"], ["40%"]],
  [
    "two of one day, and one of the next",
    [blockAt(1, 3, 9000), blockAt(5, 3, 6000), blockAt(25, 2, 4050)],
    ["3 blocks in the next 7 days", "$190.50"],
    ["60%", "20%"],
  ],
  [
    "a short and a long day",
    [blockAt(1, 1, 3000), blockAt(24, 11, 20_000)],
    ["2 blocks in the next 7 days", "$230"],
    ["15%", "100%"],
  ],
  [
    "one after the week",
    [blockAt(3, 4, 9000), blockAt(8 * 24, 4, 9000)],
    ["1 block in the next 7 days", "$90"],
    ["40%"],
  ],
])("adds up the next seven days: %s", async (_what, held, line, heights) => {
  expect(await readStrip(held)).toEqual({ line, heights });
});

it.each<[what: string, held: Block[], title: string]>([
  ["starts", [blockAt(-5, 4, 9000), blockAt(3, 4, 9000)], "Starts in 3 hr"],
  ["ends, once it runs", [blockAt(0, 4, 9000), blockAt(5, 4, 9000)], "In progress until 4:00 PM"],
  ["is, where there is none", [blockAt(-4, 4, 9000)], "No upcoming blocks"],
])("says of the next block when it %s", async (_what, held, title) => {
  const titles = [
    ...(await htmlWith(held)).matchAll(/<p class="font-display text-xl font-bold">(.*?)<\/p>/gu),
  ];
  expect(titles.flatMap(([, text = ""]) => textsIn(text))).toEqual([title]);
});
