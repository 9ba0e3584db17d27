import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import type { User } from "../../../worker/contract/account/user.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { SwitchError } from "../../../web/features/dashboard/switch-error.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { NOON } from "../../engine/fixtures.ts";
import { RECORD } from "../../support/driver-record.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));

const NEEDS_LINK = [
  "Your platform account isn't linked anymore. Link it so we can capture again.",
  "Link my account",
];
const INCOMPLETE = "No block can fit your filters yet. Turn on at least one day in your schedule.";

it.each<[what: string, error: RequestError, texts: string[], record?: Partial<User>, phase?: Phase]>([
  [
    "filters that nothing can fit",
    new RequestError(409, "filters_incomplete", { fields: { schedule: "none_selected" } }),
    [INCOMPLETE, "Set filters"],
  ],
  ["no linked account", new RequestError(409, "not_linked"), NEEDS_LINK],
  [
    "no service",
    new RequestError(402, "no_service"),
    ["You have no days of service. Add days, and then turn it on.", "See plans"],
  ],
  [
    "no service in line, where nothing can be paid",
    new RequestError(402, "no_service"),
    ["You don't have a spot in your city. You can pay as soon as you have one."],
    { waitingForSpot: true },
  ],
  [
    "any other reason",
    new RequestError(0, "network"),
    [expect.stringMatching(/connection/iu) as unknown as string],
    { waitingForSpot: true },
  ],
  [
    "a lost account before anything else",
    new RequestError(402, "no_service"),
    NEEDS_LINK,
    { waitingForSpot: true },
    { kind: "needs_link" } as Phase,
  ],
])(
  "says why the switch was refused, with the way to mend it: %s",
  async (_what, error, texts, record = {}, phase = { kind: "off" } as Phase) => {
    const part = createElement(SwitchError, { error, system: { phase, isLinked: true }, now: NOON });
    const html = await htmlOfPart(part, { answered: [[userQuery.queryKey, { ...RECORD, ...record }]] });
    expect(textsIn(html)).toEqual(texts);
  },
);
