import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { drawWinners, entriesHashOf } from "../../../db/shapes/money/raffle.ts";
import { QUICKNET } from "../../../db/shapes/money/beacon.ts";
import { checkDraw } from "../../../web/features/raffle/check-draw.ts";

/** Of quicknet's round 1000, as drand publishes it. */
const SIGNATURE =
  "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39";
const sha256 = async (text: string) => createHash("sha256").update(text).digest("hex");
const tickets = Array.from({ length: 30 }, (_, at) => ({ entry: `e${at}`, holder: `h${at % 20}` }));

async function fairDraw() {
  const [seed, winners, signature] = ["a seed", 5, null];
  return {
    raffle: { seedHash: await sha256(seed), winners, hasBeacon: false, closing: null },
    draw: { seed, signature, tickets, winners: await drawWinners({ seed, signature, tickets, winners }) },
  };
}

async function beaconDraw() {
  const [seed, winners, signature] = ["a seed", 5, SIGNATURE];
  const closing = {
    at: 1,
    entriesHash: await entriesHashOf(tickets),
    round: 1000,
    roundAt: 2,
    publicKey: QUICKNET.publicKey as string,
  };
  return {
    raffle: { seedHash: await sha256(seed), winners, hasBeacon: true, closing },
    draw: { seed, signature, tickets, winners: await drawWinners({ seed, signature, tickets, winners }) },
  };
}

it("confirms a fair draw", async () => {
  const { raffle, draw } = await fairDraw();
  expect(await checkDraw(raffle, draw)).toEqual({ isSeedRight: true, beacon: null, areWinnersRight: true });
});

it("notices another seed, another winner, one too few, one too many and an entry that was left out", async () => {
  const { raffle, draw } = await fairDraw();
  const [first = "", ...others] = draw.winners;
  const outsider = tickets.find(({ entry }) => !draw.winners.includes(entry))?.entry ?? "";
  const seeds = await checkDraw(raffle, { ...draw, seed: "another seed" });
  const swapped = await checkDraw(raffle, { ...draw, winners: [outsider, ...others] });
  const short = await checkDraw(raffle, { ...draw, winners: others });
  const long = await checkDraw(raffle, { ...draw, winners: [...draw.winners, outsider] });
  const left = tickets.filter(({ entry }) => entry !== first);
  const leftOut = await checkDraw(raffle, { ...draw, tickets: left });
  expect(seeds.isSeedRight).toBe(false);
  expect([swapped, short, long, leftOut].map(({ areWinnersRight }) => areWinnersRight)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

it("confirms a fair draw by a beacon, by drand's own key", async () => {
  const { raffle, draw } = await beaconDraw();
  expect(await checkDraw(raffle, draw)).toEqual({
    isSeedRight: true,
    beacon: { areEntriesRight: true, isRoundRight: true, isChainPublic: true },
    areWinnersRight: true,
  });
});

it("notices another round, another chain, entries that were changed after their closing, and a draw by the seed alone", async () => {
  const { raffle, draw } = await beaconDraw();
  const closed = (change: object) => ({ ...raffle, closing: { ...raffle.closing, ...change } });
  const otherRound = await checkDraw(closed({ round: 1001 }), draw);
  expect(otherRound.beacon).toEqual({ areEntriesRight: true, isRoundRight: false, isChainPublic: true });
  const otherChain = await checkDraw(closed({ publicKey: "8d" }), draw);
  expect(otherChain.beacon).toMatchObject({ isRoundRight: false, isChainPublic: false });
  const changed = await checkDraw(raffle, { ...draw, tickets: tickets.slice(1) });
  expect(changed.beacon?.areEntriesRight).toBe(false);
  const bySeed = await drawWinners({ seed: draw.seed, signature: null, tickets, winners: 5 });
  const alone = await checkDraw(raffle, { ...draw, signature: null, winners: bySeed });
  expect(alone).toMatchObject({ beacon: { isRoundRight: false }, areWinnersRight: false });
});
