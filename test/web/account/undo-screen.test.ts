import { createElement } from "react";
import { afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { HOUR_MS } from "../../../db/shapes/units.ts";
import type { UndoResponse } from "../../../worker/contract/account/undo.ts";
import * as ownerLinks from "../../../web/api/queries/owner-links.ts";
import { UndoScreen } from "../../../web/features/account/undo-screen.tsx";
import { DEVICE_TIME_ZONE, formatTime, formatUntil } from "../../../web/features/language/format.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import * as openedLink from "../../../web/features/navigation/opened-link.ts";
import * as buttons from "../../../web/ui/button.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { htmlOfPart } from "../../support/page-part.ts";

beforeAll(() => changeLocale("en"));
beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const TOKEN = "t".repeat(22);
const CHANGE: UndoResponse = {
  kind: "phone",
  changedAt: NOON - HOUR_MS,
  expiresAt: NOON + HOUR_MS,
  phoneEnd: "0144",
  language: "en",
};

type Link = ReturnType<typeof openedLink.useOpenedLink>;

/** The screen's texts without its title. */
async function readScreen(link: Link, change: UndoResponse | null = null) {
  vi.spyOn(openedLink, "useOpenedLink").mockReturnValue(link);
  const html = await htmlOfPart(createElement(UndoScreen, { hash: "" }), {
    answered: change ? [[ownerLinks.undoQuery(TOKEN).queryKey, change]] : [],
  });
  return textsIn(html).slice(1);
}

const EXPIRED = [
  "This link has expired or was already used.",
  "If you can't sign in, reset your password or contact us.",
  "Forgot your password?",
  "Contact us",
];
const OPENED: Link = { status: "opened", token: TOKEN, hasLanguage: true };

it.each<[what: string, link: Link, texts: readonly string[]]>([
  ["was opened without one", { status: "none" }, EXPIRED],
  ["has a broken one", { status: "malformed", token: "t" }, EXPIRED],
  ["is being read", { status: "reading" }, []],
  ["asks what it undoes", OPENED, ["Loading…"]],
])("says of its link only what it knows: the screen %s", async (_what, link, texts) => {
  expect(await readScreen(link)).toEqual(texts);
});

it.each<[kind: UndoResponse["kind"], title: string]>([
  ["phone", "Your sign-in number was changed"],
  ["password", "Your password was changed"],
  ["factors", "Your two-step sign-in was changed"],
  ["passkeys", "Your passkeys were changed"],
  ["other", "Your account was changed"],
])("says what an undone change of kind %s brings back", async (kind, title) => {
  const reading = { timeZone: DEVICE_TIME_ZONE, now: NOON };
  expect(await readScreen(OPENED, { ...CHANGE, kind })).toEqual([
    title,
    ...textsIn(formatTime(CHANGE.changedAt, reading)),
    "If that wasn't you, undo it now. This is what happens:",
    "You sign in with the number ending in 0144.",
    ...(kind === "passkeys" ? ["Your passkeys are those from before."] : []),
    "Every device is signed out.",
    "You set a new password with a code that we text to that number.",
    "Undo the change",
    ...textsIn(
      `If it was you, there's nothing to do. The link works once, until ${formatUntil(CHANGE.expiresAt, reading)}.`,
    ),
  ]);
});

it("undoes the change at a press, and says so of that link alone", async () => {
  const presses: (() => void)[] = [];
  const { Button } = buttons;
  vi.spyOn(buttons, "Button").mockImplementation((props) => {
    presses.push(props.onClick as unknown as () => void);
    return Button(props);
  });
  const undo = vi.spyOn(ownerLinks, "undoChange").mockResolvedValue();
  await readScreen(OPENED, CHANGE);
  presses[0]?.();
  const done = [
    "The change is undone",
    "Every device is signed out. Now set a new password with a code to the number ending in 0144.",
    "Set a new password",
  ];
  await expect.poll(() => readScreen(OPENED, CHANGE)).toEqual(done);
  expect(undo.mock.calls).toEqual([[TOKEN]]);
  const another = "u".repeat(22);
  expect(await readScreen({ ...OPENED, token: another })).toEqual(["Loading…"]);
});
