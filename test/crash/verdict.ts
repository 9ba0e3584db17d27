import type { BlocksResponse } from "../../worker/contract/blocks.ts";
import type { DriverClient } from "../support/driver-client.ts";
import type { Text } from "./inbox.ts";

export type Published = { offerId: string; payCents: number; at: number };

/** What the sandbox and the page know when all is over. */
export type CrashResult = {
  /** The offer of each block that the platform holds for the driver. */
  held: string[];
  /** The offers in the page's list of won blocks. */
  listed: string[];
  texts: readonly Text[];
};

type World = { blocks: { offerId: string }[] };

export async function readResult({
  client,
  sandboxUrl,
  texts,
}: {
  client: DriverClient;
  sandboxUrl: string;
  texts: readonly Text[];
}): Promise<CrashResult> {
  const world: World = await (await fetch(`${sandboxUrl}/sandbox/platform/world`)).json();
  const listed: string[] = [];
  for (let cursor: string | null = ""; cursor !== null;) {
    const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
    const page: BlocksResponse = await client.fetchJson("GET", `/flex/v1/blocks?type=won${query}`);
    listed.push(...page.items.flatMap((item) => (item.type === "won" ? [item.block.offerId] : [])));
    ({ cursor } = page);
  }
  return { held: world.blocks.map(({ offerId }) => offerId), listed, texts };
}

/** Nothing lost, nothing doubled, every text sent once. */
export function verdictOn(
  { held, listed, texts }: CrashResult,
  { published, killedAt }: { published: readonly Published[]; killedAt: readonly number[] },
): { lines: string[]; isGood: boolean } {
  const missed = published.filter(({ offerId }) => !held.includes(offerId));
  const doubled = published.filter(({ offerId }) => held.filter((id) => id === offerId).length > 1);
  const unlisted = published.filter(({ offerId }) => listed.filter((id) => id === offerId).length !== 1);
  const count = ({ payCents }: Published) => texts.filter(({ body }) => isAbout(body, payCents)).length;
  const untold = published.filter((offer) => held.includes(offer.offerId) && count(offer) === 0);
  const toldTwice = published.filter((offer) => count(offer) > 1);
  return {
    lines: [
      `${killedAt.length} kills under ${published.length} offers, ${held.length} blocks held, ${texts.length} texts`,
      `not captured: ${missed.length}, captured twice: ${doubled.length}`,
      ...missed.map(
        (offer) =>
          `  the ${published.indexOf(offer) + 1}th, published ${sinceKill(offer, killedAt)} s after a kill`,
      ),
      `not listed exactly once on the page: ${unlisted.length}`,
      `texted never: ${untold.length}, texted twice: ${toldTwice.length}`,
    ],
    isGood: [missed, doubled, unlisted, untold, toldTwice].every((found) => found.length === 0),
  };
}

function sinceKill({ at }: Published, killedAt: readonly number[]): string {
  return ((at - (killedAt.findLast((kill) => kill <= at) ?? at)) / 1000).toFixed(1);
}

/** Every offer's pay is its own. */
function isAbout(body: string, payCents: number): boolean {
  const amount = payCents % 100 === 0 ? String(payCents / 100) : (payCents / 100).toFixed(2);
  const position = body.indexOf(`$${amount}`);
  return position >= 0 && !/^[\d.]\d/.test(body.slice(position + amount.length + 1));
}
