import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { drawWinners } from "../../db/shapes/money/raffle.ts";
import { checkDraw } from "../../web/features/raffle/check-draw.ts";

const sha256 = async (text: string) => createHash("sha256").update(text).digest("hex");
const tickets = Array.from({ length: 30 }, (_, at) => ({ entry: `e${at}`, holder: `h${at % 20}` }));

async function fairDraw() {
  const [seed, winners] = ["a seed", 5];
  return {
    raffle: { seedHash: await sha256(seed), winners },
    draw: { seed, tickets, winners: await drawWinners({ seed, tickets, winners }) },
  };
}

it("confirms a fair draw", async () => {
  const { raffle, draw } = await fairDraw();
  expect(await checkDraw(raffle, draw)).toEqual({ isSeedRight: true, areWinnersRight: true });
});

it("notices another seed, another winner, one too few and an entry that was left out", async () => {
  const { raffle, draw } = await fairDraw();
  const [first = "", ...others] = draw.winners;
  const outsider = tickets.find(({ entry }) => !draw.winners.includes(entry))?.entry ?? "";
  const seeds = await checkDraw(raffle, { ...draw, seed: "another seed" });
  const swapped = await checkDraw(raffle, { ...draw, winners: [outsider, ...others] });
  const short = await checkDraw(raffle, { ...draw, winners: others });
  const left = tickets.filter(({ entry }) => entry !== first);
  const leftOut = await checkDraw(raffle, { ...draw, tickets: left });
  expect(seeds.isSeedRight).toBe(false);
  expect([swapped, short, leftOut].map(({ areWinnersRight }) => areWinnersRight)).toEqual([
    false,
    false,
    false,
  ]);
});
