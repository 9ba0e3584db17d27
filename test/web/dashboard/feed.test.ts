import { createElement } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import type { Attempt } from "../../../db/shapes/log/attempt.ts";
import type { LogEntry } from "../../../db/shapes/log/driver-log.ts";
import { attemptId } from "../../../db/shapes/units.ts";
import { Feed } from "../../../web/features/dashboard/feed.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeBlock, makeOffer, makeWarehouse, NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => void vi.useRealTimers());

const offer = makeOffer("one");
const block = makeBlock(offer, { status: "checked_in", checkedInAt: offer.startsAt });
const attempt: Attempt = {
  attemptId: attemptId.parse("0123456789abc-0"),
  offer,
  place: null,
  payAtLeastCents: offer.payCents,
  createdAt: NOON,
  endedAt: NOON,
  outcome: { status: "won", block },
};
const won: LogEntry = { seq: 1, event: { kind: "attempt_settled", at: NOON, attempt } };

it.each([
  ["until it ends", block.endsAt - 1, ["You're checked in"]],
  ["and no more from then on", block.endsAt, ["Captured"]],
])("says of today's block that the driver is checked in %s", async (_when, now, texts) => {
  vi.useFakeTimers({ now, toFake: ["Date"] });
  const part = createElement(Feed, { entries: [], won: [won], warehouses: [makeWarehouse()] });
  const known = ["You're checked in", "Captured"];
  expect(textsIn(await htmlOfPart(part)).filter((text) => known.includes(text))).toEqual(texts);
});
