import type { BlocksResponse } from "../../worker/contract/work/blocks.ts";
import type { DriverClient } from "../support/driver-client.ts";
import type { Text } from "./inbox.ts";

export type Published = { offerId: string; payCents: number; at: number };

/** The knowledge of sandbox and page at the end. */
export type CrashResult = {
  /** The offer of each block that the platform holds for the driver, and when it was accepted. */
  held: { offerId: string; acceptedAt: number }[];
  /** The offers in the page's list of won blocks. */
  listed: string[];
  texts: readonly Text[];
};

type World = { blocks: { offerId: string; acceptedAt: string }[] };
/** How soon after a capture its text has left, on a busy machine. */
const TEXT_MS = 15_000;

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
  const held = world.blocks.map(({ offerId, acceptedAt }) => ({
    offerId,
    acceptedAt: Date.parse(acceptedAt),
  }));
  return { held, listed, texts };
}

/**
 * Nothing lost, nothing doubled, every text sent once. A text is sent at most once, and its gateway knows no keys: a kill
 * in the instant of sending loses it. So a missing one must belong to a capture just before a kill.
 */
export function verdictOn(
  { held, listed, texts }: CrashResult,
  { published, killedAt }: { published: readonly Published[]; killedAt: readonly number[] },
): { lines: string[]; isGood: boolean } {
  const blocksOf = (offer: Published) => held.filter(({ offerId }) => offerId === offer.offerId);
  const missed = published.filter((offer) => blocksOf(offer).length === 0);
  const doubled = published.filter((offer) => blocksOf(offer).length > 1);
  const unlisted = published.filter(({ offerId }) => listed.filter((id) => id === offerId).length !== 1);
  const count = ({ payCents }: Published) => texts.filter(({ body }) => isAbout(body, payCents)).length;
  const untold = published.filter((offer) => blocksOf(offer).length > 0 && count(offer) === 0);
  const isLostInKill = (offer: Published) =>
    blocksOf(offer).some(({ acceptedAt }) =>
      killedAt.some((kill) => kill >= acceptedAt && kill <= acceptedAt + TEXT_MS),
    );
  const forgotten = untold.filter((offer) => !isLostInKill(offer));
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
      `texted never: ${untold.length}, of which lost in the instant of a kill: ${untold.length - forgotten.length}`,
      `texted twice: ${toldTwice.length}`,
    ],
    isGood: [missed, doubled, unlisted, forgotten, toldTwice].every((found) => found.length === 0),
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
