import { render, screen, within } from "@testing-library/react";
import { createElement } from "react";
import { expect, it } from "vitest";
import { driverId } from "../../../db/shapes/units.ts";
import { AttentionList } from "../../../web/console/fleet/fleet-attention.tsx";
import { OperatorContext } from "../../../web/console/calls/operator.ts";
import type { Attention } from "../../../worker/contract/console/fleet.ts";
import { NOON } from "../../engine/fixtures.ts";
import { OWNER } from "../../support/console-part.ts";

const money = (id: string): Attention => ({
  kind: "money",
  alert: "mismatch",
  driverId: driverId.parse(id),
  since: NOON,
});

it("has a line for each alert, also where the words of two are the same", () => {
  const list = (attention: readonly Attention[]) =>
    createElement(OperatorContext, { value: OWNER }, createElement(AttentionList, { attention }));
  const [ana, bia] = [money("ana"), money("bia")];
  const stale: Attention = { kind: "stale", drivers: 1 };
  const { rerender } = render(list([ana, bia, stale]));
  rerender(list([stale, ana, bia]));
  const lines = within(screen.getByTestId("attention")).getAllByRole<HTMLAnchorElement>("link");
  expect(lines.map(({ pathname }) => pathname)).toEqual([
    "/ops/fleet",
    "/ops/drivers/ana",
    "/ops/drivers/bia",
  ]);
});
