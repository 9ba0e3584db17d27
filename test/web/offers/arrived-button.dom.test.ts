import { cleanup, screen } from "@testing-library/react";
import { createElement } from "react";
import { beforeAll, expect, it } from "vitest";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import type { CheckInObstacle } from "../../../db/shapes/work/possible-now.ts";
import { ArrivedButton, CheckInRoom, CheckInTime } from "../../../web/features/arrival/arrived-button.tsx";
import { changeLocale } from "../../../web/features/language/locale.ts";
import { makeBlock, makeOffer, NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { buttonNames, renderPart } from "../../support/rendered-part.ts";
import { scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));

type Status = "scheduled" | "checked_in" | "other";

/** A block that starts so many minutes from now, as a part of the screen gets it. */
function blockAt(
  minutesAhead: number,
  status: Status = "scheduled",
  obstacle: CheckInObstacle | null = null,
) {
  const startsAt = NOON + minutesAhead * MINUTE_MS;
  const offer = makeOffer("a", { startsAt, endsAt: startsAt + 180 * MINUTE_MS });
  return { block: makeBlock(offer, { status }), now: NOON, timeZone: "America/New_York", obstacle };
}

/** The buttons of a block, each with whether it is the primary one. */
async function buttonsOf(...block: Parameters<typeof blockAt>) {
  await renderPart(createElement(ArrivedButton, blockAt(...block)));
  const buttons = screen
    .queryAllByRole("button")
    .map((button) => [button.textContent, button.classList.contains("bg-signal") ? "primary" : "plain"]);
  cleanup();
  return buttons;
}

it("is the primary action once the platform can take a check-in, and a plain one before", async () => {
  expect(await buttonsOf(60)).toEqual([
    ["I've arrived", "plain"],
    ["Try once now", "plain"],
  ]);
  expect((await buttonsOf(31))[0]).toEqual(["I've arrived", "plain"]);
  expect((await buttonsOf(30))[0]).toEqual(["I've arrived", "primary"]);
  expect((await buttonsOf(-10, "other"))[0]).toEqual(["I've arrived", "primary"]);
});

it("is not there where nothing can be done: long before, after the check-in, and against an obstacle", async () => {
  expect(await buttonsOf(61)).toEqual([]);
  expect(await buttonsOf(10, "checked_in")).toEqual([]);
  expect(await buttonsOf(10, "scheduled", { kind: "not_linked" })).toEqual([]);
});

it("has its room before it appears, so that it pushes nothing away", async () => {
  const row = () => screen.getByText("Try once now").parentElement;
  await renderPart(createElement(ArrivedButton, blockAt(60)));
  const buttons = row()?.outerHTML;
  cleanup();
  await renderPart(createElement(CheckInRoom));
  expect(row()?.outerHTML).toBe(buttons);
  // Nobody sees or reaches them, in the same cell as whatever stands there.
  expect(buttonNames()).toEqual([]);
  const hidden = row()?.parentElement;
  expect([hidden?.className, hidden?.parentElement?.className]).toEqual([
    "invisible",
    expect.stringContaining("*:[grid-area:1/1]"),
  ]);
});

/** The line in place of the buttons. */
async function noteOf(...block: Parameters<typeof blockAt>): Promise<string> {
  const { html } = await renderPart(createElement(CheckInTime, blockAt(...block)));
  const note = textsIn(html()).join(" ");
  cleanup();
  return note;
}

it("says when it will appear, until it does", async () => {
  expect(await noteOf(61)).toBe("Check in here from 12:01 PM");
  expect([await noteOf(60), await noteOf(61, "checked_in")]).toEqual(["", ""]);
});

it("gives way to what keeps the driver from checking in", async () => {
  const until = NOON + MINUTE_MS;
  const again = "Link your account again to check in here, or use the platform's own app.";
  const verify = "Verify it's you first. Then you can check in here.";
  const wait = "The platform asked us to slow down. You can check in here from 12:01 PM.";
  expect([
    await noteOf(10, "scheduled", { kind: "not_linked" }),
    await noteOf(600, "scheduled", { kind: "not_linked" }),
    await noteOf(10, "scheduled", { kind: "verification_required" }),
    await noteOf(10, "scheduled", { kind: "wait", until }),
    // It passes by itself before the buttons appear.
    await noteOf(600, "scheduled", { kind: "wait", until }),
  ]).toEqual([again, again, verify, wait, "Check in here from 9:00 PM"]);
});

it.each([
  ["I've arrived", "/arrived?token=t"],
  ["Try once now", "/arrived?token=t&instant=1"],
])("opens the check-in over the screen: %s", async (name, address) => {
  storeSession(localStorage);
  scriptNetwork().answer({ "GET /flex/v1/user/im-here/data": { body: { token: "t" } } });
  const { user } = await renderPart(createElement(ArrivedButton, blockAt(10)));
  await user.click(screen.getByRole("button", { name }));
  const frame = await screen.findByTitle("Check-in at the warehouse");
  expect(frame.getAttribute("src")).toBe(address);
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByTitle("Check-in at the warehouse")).toBeNull();
});
