import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import { offerOutcomeOf, type OfferOutcome } from "../../../db/shapes/log/driver-log.ts";
import { OutcomeMark, outcomeMessage } from "../../../web/features/offers/outcome-mark.tsx";
import { makeOffer, NOON } from "../../engine/fixtures.ts";

it.each<[kind: OfferOutcome["kind"], icon: string]>([
  ["won", "check"],
  ["match", "ellipsis"],
  ["asked", "circle-question-mark"],
  ["withdrawn", "minus"],
  ["trying", "ellipsis"],
  ["unknown", "circle-question-mark"],
  ["lost", "x"],
  ["rejected", "minus"],
])("marks an offer that is %s by its own icon", (kind, icon) => {
  expect(renderToStaticMarkup(createElement(OutcomeMark, { kind }))).toContain(`lucide-${icon} `);
});

it("gives the reason for a match that left the list untried", () => {
  const found = offerOutcomeOf({ kind: "match_gone", at: NOON, offer: makeOffer("a") });
  expect(found && outcomeMessage(found.outcome, NOON)).toBe("We couldn't take it in time");
});
