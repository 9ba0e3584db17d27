import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { CheckInObstacle } from "../../../db/shapes/work/possible-now.ts";
import { makeBlock, makeOffer, NOON } from "../../engine/fixtures.ts";

afterEach(() => void vi.unstubAllGlobals());

beforeEach(() => {
  vi.stubGlobal("location", new URL("https://jornada.test/flex/dashboard"));
});

/** The buttons of a block, each with whether it is the primary one. */
async function buttonsOf(
  minutesAhead: number,
  status: "scheduled" | "checked_in" | "other" = "scheduled",
  obstacle: CheckInObstacle | null = null,
) {
  const { ArrivedButton } = await import("../../../web/features/arrival/arrived-button.tsx");
  const startsAt = NOON + minutesAhead * MINUTE_MS;
  const block = makeBlock(makeOffer("a", { startsAt, endsAt: startsAt + 180 * MINUTE_MS }), { status });
  const html = renderToStaticMarkup(
    createElement(ArrivedButton, { block, now: NOON, timeZone: "America/New_York", obstacle }),
  );
  return [...html.matchAll(/<button[^>]*class="([^"]*)"[^>]*>(.*?)<\/button>/gu)].map(
    ([, classes = "", content = ""]) => [
      content.replaceAll(/<[^>]*>/gu, "").replaceAll("&#x27;", "'"),
      classes.includes("bg-signal") ? "primary" : "plain",
    ],
  );
}

describe("I've arrived", () => {
  it("is the primary action once the platform can take a check-in, and a plain one before", async () => {
    expect(await buttonsOf(60)).toEqual([
      ["I've arrived", "plain"],
      ["Try once now", "plain"],
    ]);
    expect((await buttonsOf(31))[0]).toEqual(["I've arrived", "plain"]);
    expect((await buttonsOf(30))[0]).toEqual(["I've arrived", "primary"]);
    expect((await buttonsOf(-10, "other"))[0]).toEqual(["I've arrived", "primary"]);
  });

  it("has its room before it appears, so that it pushes nothing away, and says when it will", async () => {
    const { ArrivedButton, CheckInRoom, CheckInTime } =
      await import("../../../web/features/arrival/arrived-button.tsx");
    const reading = { now: NOON, timeZone: "America/New_York", obstacle: null };
    const block = (minutesAhead: number, status: "scheduled" | "checked_in" = "scheduled") =>
      makeBlock(makeOffer("a", { startsAt: NOON + minutesAhead * MINUTE_MS }), { status });
    const room = renderToStaticMarkup(createElement(CheckInRoom));
    // The same buttons, which nobody sees or reaches, in the same cell as whatever stands there.
    expect(room).toMatch(
      /^<div class="[^"]*\*:\[grid-area:1\/1\][^"]*"[^>]*><div aria-hidden="true" class="invisible">/u,
    );
    const rows = (html: string) => html.match(/<div class="flex flex-wrap gap-2[^"]*">.*?<\/div>/u)?.[0];
    const buttons = renderToStaticMarkup(createElement(ArrivedButton, { block: block(60), ...reading }));
    expect(rows(room)).toBe(rows(buttons));

    const time = (...of: Parameters<typeof block>) =>
      renderToStaticMarkup(createElement(CheckInTime, { block: block(...of), ...reading }));
    expect(time(61)).toContain("Check in here from");
    expect([time(60), time(61, "checked_in")]).toEqual(["", ""]);
  });

  it("gives way to what keeps the driver from checking in", async () => {
    expect(await buttonsOf(10, "scheduled", { kind: "not_linked" })).toEqual([]);
    const { CheckInTime } = await import("../../../web/features/arrival/arrived-button.tsx");
    const note = (minutesAhead: number, obstacle: CheckInObstacle) =>
      renderToStaticMarkup(
        createElement(CheckInTime, {
          block: makeBlock(makeOffer("a", { startsAt: NOON + minutesAhead * MINUTE_MS })),
          now: NOON,
          timeZone: "America/New_York",
          obstacle,
        }),
      );
    expect(note(10, { kind: "not_linked" })).toContain("Link your account again");
    expect(note(600, { kind: "not_linked" })).toContain("Link your account again");
    expect(note(10, { kind: "verification_required" })).toContain("it&#x27;s you first");
    expect(note(10, { kind: "wait", until: NOON + MINUTE_MS })).toContain("slow down");
    expect(note(600, { kind: "wait", until: NOON + MINUTE_MS })).toContain("Check in here from");
  });

  it("is not there where nothing can be done: long before, and after the check-in", async () => {
    expect([await buttonsOf(61), await buttonsOf(10, "checked_in")]).toEqual([[], []]);
  });
});
