import { createElement, type ReactNode } from "react";
import { expect, it } from "vitest";
import type { Phase } from "../../../db/shapes/work/phase.ts";
import { userQuery } from "../../../web/api/queries/user.ts";
import { RequestError } from "../../../web/api/client/request-error.ts";
import { PhaseAction } from "../../../web/features/dashboard/phase-action.tsx";
import { SwitchError } from "../../../web/features/dashboard/switch-error.tsx";
import { htmlOfPart } from "../../support/page-part.ts";

const READY = { proxyInstalled: true, setupComplete: true, goodStanding: true, waitingForSpot: false };

/** The links of a part of the dashboard, for a driver who has got so far. */
async function linksOf(part: ReactNode, driver: Partial<typeof READY> = {}): Promise<string[]> {
  const html = await htmlOfPart(part, { answered: [[userQuery.queryKey, { ...READY, ...driver }]] });
  return [...html.matchAll(/<a [^>]*href="([^"]*)"[^>]*>(.*?)<\/a>/gu)].map(
    ([, href, name]) => `${name}: ${href}`,
  );
}

it("leads who is off to what must be there first, and nobody who is ready", async () => {
  const inPhase = (phase: Phase, isLinked = true) =>
    createElement(PhaseAction, { system: { phase, isLinked }, now: 0 });
  const off = inPhase({ kind: "off" });
  const links = await Promise.all([
    linksOf(off, { proxyInstalled: false, setupComplete: false, goodStanding: false }),
    linksOf(off, { setupComplete: false, goodStanding: false }),
    linksOf(off, { goodStanding: false }),
    linksOf(off),
    // The object knows before the record does.
    linksOf(inPhase({ kind: "off" }, false)),
  ]);
  expect(links).toEqual([
    ["Link my account: /flex/login"],
    ["Set filters: /flex/filters"],
    [],
    [],
    ["Link my account: /flex/login"],
  ]);
});

it("leads from a switch that was refused to what mends it", async () => {
  const phase = { kind: "off" } as const;
  const refused = (
    code: "not_linked" | "filters_incomplete" | "no_service",
    { isLinked } = { isLinked: true },
  ) =>
    linksOf(
      createElement(SwitchError, { error: new RequestError(409, code), system: { phase, isLinked }, now: 0 }),
    );
  expect([
    await refused("not_linked"),
    await refused("filters_incomplete"),
    await refused("no_service"),
  ]).toEqual([
    ["Link my account: /flex/login"],
    ["Set filters: /flex/filters"],
    ["See plans: /flex/payments"],
  ]);
  expect(await refused("filters_incomplete", { isLinked: false })).toEqual(["Link my account: /flex/login"]);
});
