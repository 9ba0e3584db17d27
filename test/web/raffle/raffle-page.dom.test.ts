import { createHash } from "node:crypto";
import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { afterEach, beforeAll, expect, it, vi } from "vitest";
import { drawWinners } from "../../../db/shapes/money/raffle.ts";
import type { Raffle } from "../../../worker/contract/money/raffles.ts";
import { raffleQuery } from "../../../web/api/queries/rewards.ts";
import { restoreSession, sessionStore } from "../../../web/api/session/session.ts";
import { changeLocale } from "../../../web/features/language/locale.ts";
import * as checks from "../../../web/features/raffle/check-draw.ts";
import { RafflePage } from "../../../web/features/raffle/raffle-page.tsx";
import { NOON } from "../../engine/fixtures.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { IDENTITY, refusalReply, scriptNetwork, storeSession } from "../../support/scripted-network.ts";

beforeAll(() => changeLocale("en"));
afterEach(() => {
  sessionStore.setState(() => undefined);
  vi.restoreAllMocks();
});

const GET = "GET /status/raffles/r1";
const GET_OWN = "GET /flex/v1/raffles";
const tickets = Array.from({ length: 9 }, (_, at) => ({ entry: `entry-${at}`, holder: `holder-${at}` }));
const OPEN: Raffle = {
  id: "r1",
  plan: "7days",
  startsAt: NOON,
  endsAt: NOON,
  winners: 2,
  prize: { en: "A car", es: "Un coche", pt: "Um carro" },
  seedHash: createHash("sha256").update("a seed").digest("hex"),
  hasBeacon: false,
  closing: null,
  entries: 9,
  isCompensated: false,
  draw: null,
};
const seed = { seed: "a seed", signature: null, tickets };
const DRAWN: Raffle = { ...OPEN, draw: { ...seed, winners: await drawWinners({ ...seed, winners: 2 }) } };
const [FIRST = "", SECOND = ""] = DRAWN.draw?.winners ?? [];

/** The page on a network whose server knows the raffle; signed in where the driver has entries of their own. */
async function openRaffle(known: Raffle | null = DRAWN, own: string[] | null = null) {
  const network = scriptNetwork();
  network.answer({ [GET]: known ? { body: known } : "lost" });
  if (own) {
    storeSession(localStorage);
    restoreSession(IDENTITY, Date.now());
    const mine = { id: "r1", endsAt: NOON, prize: null, entries: own, isDrawn: true, hasWon: false };
    network.answer({ [GET_OWN]: { body: { raffles: [{ ...mine, id: "r0", entries: ["other"] }, mine] } } });
  }
  const part = await renderPart(createElement(RafflePage, { id: "r1" }));
  const winners = () =>
    within(screen.getByRole("region", { name: "Winning entries" }))
      .getAllByRole("listitem")
      .map(({ innerHTML }) => textsIn(innerHTML).join(" "));
  /** The lines of the check, each with its mark. */
  const lines = () =>
    [...screen.getByRole("status").children].map(({ innerHTML, textContent }) => [
      innerHTML.includes("text-good") ? "good" : "bad",
      textContent,
    ]);
  return { ...network, ...part, winners, lines };
}

const SEED = "The seed fits the fingerprint that was published before the draw.";
const LIST = "The entries fit the fingerprint that was published before the beacon's round.";
const ROUND = "The signature is that of round 1000, by drand's public key.";

it("has what was published before the draw, and no winners yet", async () => {
  const { html } = await openRaffle(OPEN);
  expect(await screen.findByText(OPEN.seedHash)).toBeTruthy();
  expect(textsIn(html())).toEqual(
    expect.arrayContaining(["A car", "Not drawn yet. The seed and the winners show up here after the draw."]),
  );
  expect(screen.queryByRole("region", { name: "Winning entries" })).toBeNull();
});

it("promises no draw where the drivers got points instead", async () => {
  const { html } = await openRaffle({ ...OPEN, entries: 0, isCompensated: true });
  const text = "This raffle couldn't be drawn. The drivers who were in it got points instead.";
  expect(await screen.findByText(text)).toBeTruthy();
  expect(html()).not.toContain("Not drawn yet");
});

it("draws again in this browser, and says that the winners are the same", async () => {
  const { lines, winners, count } = await openRaffle();
  await expect.poll(() => screen.queryByRole("status")).not.toBeNull();
  expect(lines()).toEqual([
    ["good", SEED],
    ["good", expect.stringMatching(/9 entries/u)],
  ]);
  expect([winners(), count(GET_OWN)]).toEqual([[`1 ${FIRST}`, `2 ${SECOND}`], 0]);
});

it("marks winners whom the entries don't give", async () => {
  const { draw } = DRAWN;
  const { lines } = await openRaffle({ ...DRAWN, draw: draw && { ...draw, winners: [SECOND, FIRST] } });
  await expect.poll(() => screen.queryByRole("status")).not.toBeNull();
  expect(lines()).toEqual([
    ["good", SEED],
    ["bad", expect.stringMatching(/got other winners/u)],
  ]);
});

it("marks the driver's own entry among the winners, and says which are theirs", async () => {
  const { winners } = await openRaffle(DRAWN, [SECOND, "entry-x"]);
  await expect.poll(winners).toEqual([`1 ${FIRST}`, `2 ${SECOND} Yours`]);
  expect(screen.getByText(`${SECOND}, entry-x`)).toBeTruthy();
});

it("says before the draw, too, which entries are the driver's", async () => {
  await openRaffle(OPEN, ["entry-3", "entry-x"]);
  expect(await screen.findByText("entry-3, entry-x")).toBeTruthy();
});

it("says that the draw couldn't be checked, and checks it at a press", async () => {
  const check = vi.spyOn(checks, "checkDraw").mockRejectedValueOnce(new TypeError("the code didn't arrive"));
  const { user, lines, winners } = await openRaffle();
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't check the draw");
  expect(winners()).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await expect.poll(() => screen.queryByRole("status")).not.toBeNull();
  expect([lines().length, check.mock.calls.length, screen.queryByRole("alert")]).toEqual([2, 2, null]);
});

it("says that there is no such raffle, or that it couldn't be loaded, and loads it at a press", async () => {
  const { answer, user, refetch } = await openRaffle(null);
  answer({ [GET]: "lost" });
  expect((await screen.findByRole("alert")).textContent).toContain("We couldn't load the raffle");
  answer({ [GET]: { body: OPEN } });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(await screen.findByText(OPEN.seedHash)).toBeTruthy();
  answer({ [GET]: "lost" });
  await refetch(raffleQuery("r1").queryKey);
  expect(screen.getByText(OPEN.seedHash)).toBeTruthy();
});

it("says of an address of no raffle that there is none", async () => {
  const network = scriptNetwork();
  network.answer({ [GET]: refusalReply("not_found") });
  await renderPart(createElement(RafflePage, { id: "r1" }));
  expect(await screen.findByText("There's no such raffle")).toBeTruthy();
});

const BEACON = { areEntriesRight: true, isRoundRight: true, isChainPublic: true };
const FAIR: checks.DrawCheck = { isSeedRight: true, beacon: BEACON, areWinnersRight: true };

it.each<[string, Partial<checks.DrawCheck>, number | null, RegExp]>([
  ["nothing of a fair one", {}, null, /./u],
  ["another seed", { isSeedRight: false }, 0, /^The seed doesn't fit/u],
  ["other entries", { beacon: { ...BEACON, areEntriesRight: false } }, 1, /^The entries don't fit/u],
  ["another round", { beacon: { ...BEACON, isRoundRight: false } }, 2, /^The signature isn't that of round/u],
  [
    "another chain",
    { beacon: { ...BEACON, isChainPublic: false } },
    2,
    /a chain other than drand's public one/u,
  ],
  ["other winners", { areWinnersRight: false }, 3, /got other winners/u],
])("marks %s in a draw by a beacon, and nothing else", async (_, found, at, text) => {
  vi.spyOn(checks, "checkDraw").mockResolvedValue({ ...FAIR, ...found });
  const closing = { at: 1, entriesHash: "e", round: 1000, roundAt: NOON, publicKey: "k" };
  const { lines } = await openRaffle({ ...DRAWN, hasBeacon: true, closing });
  await expect.poll(() => screen.queryByRole("status")).not.toBeNull();
  expect(lines().map(([mark]) => mark)).toEqual([0, 1, 2, 3].map((line) => (line === at ? "bad" : "good")));
  if (at === null) expect(lines().map(([, words]) => words)).toEqual([SEED, LIST, ROUND, expect.anything()]);
  else expect(lines()[at]?.[1]).toMatch(text);
});
