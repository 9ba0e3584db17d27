import { screen, within } from "@testing-library/react";
import { createElement } from "react";
import { toast } from "sonner";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openSeed, sealSeed } from "../../../db/shapes/money/sealed-seed.ts";
import { sha256Hex } from "../../../db/shapes/sha256-hex.ts";
import { DAY_MS, HOUR_MS } from "../../../db/shapes/units.ts";
import { raffleListQuery } from "../../../web/console/calls/deployment.ts";
import { RafflesScreen } from "../../../web/console/raffles/raffles-screen.tsx";
import type { RaffleListResponse } from "../../../worker/contract/console/operator-deployment.ts";
import { NOON } from "../../engine/fixtures.ts";
import { DONE, OWNER } from "../../support/console-part.ts";
import { textsIn } from "../../support/html-text.ts";
import { renderPart } from "../../support/rendered-part.ts";
import { refusalReply, scriptNetwork } from "../../support/scripted-network.ts";

beforeEach(() => void vi.useFakeTimers({ now: NOON, toFake: ["Date"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

type Raffle = RaffleListResponse["raffles"][number];

const ACT = "POST /ops/v1/acts";
const LIST = "GET /ops/v1/raffles";
const [MAKE, NAME, PASSPHRASE] = ["Announce a raffle", "Name in its address", "Passphrase"];
const raffle: Raffle = {
  id: "december",
  plan: "14days",
  startsAt: NOON - 5 * HOUR_MS,
  endsAt: NOON - 4 * HOUR_MS,
  winners: 10,
  prize: null,
  seedHash: "0".repeat(64),
  hasBeacon: false,
  closing: null,
  entries: 12,
  status: "over",
  isCompensated: false,
  sealedSeed: null,
};

async function openRaffles(fields: Partial<Raffle> = {}) {
  const network = scriptNetwork();
  const list: RaffleListResponse = { raffles: [{ ...raffle, ...fields }], hasMore: false };
  network.answer({ [LIST]: { body: list } });
  const done = vi.spyOn(toast, "success");
  const answered: [readonly unknown[], unknown][] = [[raffleListQuery.queryKey, list]];
  const part = await renderPart(createElement(RafflesScreen), { answered, operator: OWNER });
  const sheet = () => within(screen.getByRole("dialog"));
  const field = (name: string) => sheet().getByLabelText<HTMLInputElement>(name);
  return {
    ...network,
    ...part,
    done,
    sheet,
    field,
    open: (name: string) => part.user.click(screen.getByRole("button", { name })),
    press: (name: string) => part.user.click(sheet().getByRole("button", { name })),
    write: (name: string, text: string) => part.user.type(field(name), text),
    noteOf: (name: string) => field(name).parentElement?.querySelector("p")?.textContent,
    sent: () => network.calls.filter(({ operation }) => operation === ACT).map(({ body }) => body),
  };
}

it("announces a raffle of a month whose seed only the shown passphrase opens, the same one when it is sent again", async () => {
  const { answer, user, open, field, write, press, sent, done } = await openRaffles();
  answer({ [ACT]: ["lost", { body: DONE }] });
  await open(MAKE);
  const passphrase = field(PASSPHRASE).value;
  expect(passphrase).toMatch(/^(?:[a-z2-9]{4}-){5}[a-z2-9]{4}$/u);
  await write(NAME, "spring");
  await user.click(field("I have kept the passphrase"));
  await write("Why", "A cold month");
  await press(MAKE);
  await expect.poll(sent).toHaveLength(1);
  await press(MAKE);
  await expect.poll(() => done.mock.calls).toEqual([["Done"]]);
  const [first, second] = sent();
  expect(first).toEqual(second);
  expect(first).toMatchObject({
    act: "raffle",
    raffle: "spring",
    plan: "14days",
    startsAt: NOON,
    endsAt: NOON + 30 * DAY_MS,
    winners: 10,
    prize: null,
    reason: "A cold month",
  });
  expect(JSON.stringify(first)).not.toContain(passphrase);
  const seed = await openSeed(String(first?.["sealedSeed"]), { passphrase, id: "spring" });
  expect(await sha256Hex(seed ?? "")).toBe(first?.["seedHash"]);
});

it("shows in each language what drivers will read", async () => {
  const { user, open, sheet, field, write } = await openRaffles();
  await open(MAKE);
  await write("Prize in Spanish", "Una bici");
  await user.clear(field("Winners"));
  await write("Winners", "1200");
  const preview = sheet().getByRole("region", { name: "What drivers will read" });
  const words = [...preview.querySelectorAll("p")].map(({ lang, innerHTML }) => [
    lang,
    ...textsIn(innerHTML),
  ]);
  const days = (language: string) =>
    [NOON, NOON + 30 * DAY_MS - 1].map((at) =>
      new Date(at).toLocaleDateString(language, { dateStyle: "long" }),
    );
  expect(words).toEqual([
    ["en", days("en").join(" to "), "Winners: 1,200"],
    ["es", "Premio: Una bici", days("es").join(" a "), "Ganadores: 1,200"],
    ["pt", days("pt").join(" a "), "Ganhadores: 1.200"],
  ]);
  await user.clear(field("From"));
  expect(sheet().queryByRole("region", { name: "What drivers will read" })).toBeNull();
});

it("announces nothing that isn't finished, and says at each field what is wrong with it", async () => {
  const { user, open, field, write, press, noteOf, sheet, sent } = await openRaffles();
  await open(MAKE);
  for (const name of ["Winners", PASSPHRASE, "From"]) await user.clear(field(name));
  await write(PASSPHRASE, "short");
  await write("Prize in English", "A bike");
  await press(MAKE);
  await expect.poll(() => noteOf(NAME)).toBe("Letters, digits, - and _, and not the name of another raffle.");
  expect(["Winners", "From", "Until", PASSPHRASE, "Prize in Portuguese", "Why"].map(noteOf)).toEqual([
    "A number from 1 to 1,000.",
    "Fill this in.",
    undefined,
    "Twelve characters at least.",
    "Say it in all three languages, or leave all three empty.",
    "Say why, in three letters at least.",
  ]);
  expect([sheet().queryByText("Keep it first, then say so.") !== null, sent()]).toEqual([true, []]);
});

it("says that the name is taken or the end too early, where the server does", async () => {
  const { answer, user, open, field, write, press, noteOf } = await openRaffles();
  answer({ [ACT]: refusalReply("invalid_request", { raffle: "invalid", endsAt: "too_small" }) });
  await open(MAKE);
  await write(NAME, "december");
  await user.click(field("I have kept the passphrase"));
  await write("Why", "A cold month");
  await press(MAKE);
  await expect.poll(() => noteOf(NAME)).toBe("Letters, digits, - and _, and not the name of another raffle.");
  expect(noteOf("Until")).toBe("Enter a time after the start.");
});

it("ends one that is running, for a reason", async () => {
  const { answer, open, write, press, sent, done } = await openRaffles({ status: "running" });
  answer({ [ACT]: { body: DONE } });
  await open("End");
  expect(screen.getByRole("dialog", { name: "december" })).toBeTruthy();
  await write("Why", "It was a mistake");
  await press("End a raffle");
  await expect.poll(() => done.mock.calls).toEqual([["Done"]]);
  expect(sent()).toEqual([{ act: "end_raffle", raffle: "december", reason: "It was a mistake" }]);
});

it("draws with the passphrase that opens the seed, and then shows how the draw checks out", async () => {
  const seed = "5".repeat(64);
  const sealedSeed = await sealSeed(seed, { passphrase: "twelve words or so", id: "december" });
  const seedHash = await sha256Hex(seed);
  const closing = { at: NOON, round: 7, roundAt: NOON, entriesHash: "0".repeat(64), publicKey: "key" };
  const { answer, open, write, press, noteOf, sent, sheet, count } = await openRaffles({
    sealedSeed,
    seedHash,
    hasBeacon: true,
    closing,
  });
  answer({
    [ACT]: [refusalReply("invalid_request", { signature: "required" }), { body: DONE }],
    "GET /ops/v1/raffles/december": refusalReply("internal"),
  });
  await open("Draw");
  await write(PASSPHRASE, "another one");
  await write("Why", "It is over");
  await press("Draw a raffle");
  await expect.poll(() => noteOf(PASSPHRASE)).toBe("This doesn't fit the fingerprint.");
  expect(sent()).toEqual([]);
  await write(PASSPHRASE, "{Control>}a{/Control}twelve words or so");
  await press("Draw a raffle");
  await expect
    .poll(() => noteOf("Signature of round 7"))
    .toBe("The server couldn't fetch it. Copy it from drand.");
  const signature = "ab".repeat(48);
  await write("Signature of round 7", signature);
  await press("Draw a raffle");
  await expect.poll(sent).toHaveLength(2);
  const draw = { act: "draw", raffle: "december", seed, reason: "It is over" };
  expect(sent()).toEqual([draw, { ...draw, signature }]);
  await expect.poll(() => count("GET /ops/v1/raffles/december")).toBe(1);
  expect((await sheet().findByRole("alert")).textContent).not.toBe("");
});

it("says that the drivers of a raffle were compensated, and offers no draw of it", async () => {
  const closing = { at: NOON, round: 7, roundAt: NOON, entriesHash: "0".repeat(64), publicKey: "key" };
  const { html } = await openRaffles({ isCompensated: true, hasBeacon: true, closing, entries: 0 });
  expect(textsIn(html())).toContain("Over, drivers compensated");
  expect(screen.queryByRole("button", { name: "Draw" })).toBeNull();
});

it("draws nothing where the form is left, and goes back to the list", async () => {
  const { open, press, sent } = await openRaffles();
  await open("Draw");
  await press("Cancel");
  await expect.poll(() => screen.queryByRole("dialog")).toBeNull();
  expect(sent()).toEqual([]);
});
