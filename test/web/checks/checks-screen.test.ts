import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { CHECK_SUBJECTS, type Check } from "../../../db/shapes/work/checks.ts";
import { checksQuery } from "../../../web/api/queries/checks.ts";
import { configQuery, userQuery } from "../../../web/api/queries/user.ts";
import { ChecksScreen } from "../../../web/features/checks/checks-screen.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import type { Answered } from "../../support/console-part.ts";
import { RECORD } from "../../support/driver-record.ts";
import { htmlOfPart, textsIn } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const GOOD: readonly Check[] = [
  { code: "link_good" },
  { code: "hours_always" },
  { code: "platform_asked" },
  { code: "texts_arrive" },
  { code: "push_on", browsers: 1 },
];

/** The screen as it opens: it asks at once, whatever it knows from before. */
async function readOpening(checks: readonly Check[] | null) {
  const known: Answered[] = checks ? [[checksQuery.queryKey, { checks }]] : [];
  const html = await htmlOfPart(createElement(ChecksScreen), {
    answered: [
      [userQuery.queryKey, RECORD],
      [configQuery.queryKey, { productName: "Jornada", vapidPublicKey: null }],
      ...known,
    ],
  });
  const [, summary = ""] = html.split('data-testid="checks-summary"');
  const [counted = ""] = summary.split("</output>");
  return {
    summary: textsIn(`<i ${counted}`).at(-1),
    states: [...html.matchAll(/data-check-state="(\w+)"/gu)].map(([, state]) => state),
    isBusy: html.includes('aria-busy="true"'),
  };
}

it.each([
  ["nothing is known", null],
  ["a former visit knew", GOOD],
])("says of no line how it is until the answer is there: %s", async (_what, known) => {
  expect(await readOpening(known)).toEqual({
    summary: "0 of 7 checked",
    states: CHECK_SUBJECTS.map(() => "checking"),
    isBusy: true,
  });
});
