import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { expect, it } from "vitest";
import type { OfferOutcome } from "../../../db/shapes/log/driver-log.ts";
import { OutcomeMark } from "../../../web/features/offers/outcome-mark.tsx";

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
