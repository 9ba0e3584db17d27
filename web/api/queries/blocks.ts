import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { blocksResponse, passedOverResponse } from "../../../worker/contract/work/blocks.ts";
import { otherOffersResponse } from "../../../db/shapes/work/other-offers.ts";
import type { BlockList } from "../../../db/shapes/log/driver-log.ts";
import { atOwnPace } from "../client/full-jitter.ts";
import { api } from "../client/client.ts";
import { parseResponse, requireOk } from "../client/request.ts";

/** Offers come and go within seconds, but each call wakes the driver's object. */
const OTHER_OFFERS_EVERY_MS = 15_000;

export function blocksQuery(type: BlockList) {
  return infiniteQueryOptions({
    queryKey: ["blocks", type],
    queryFn: async ({ pageParam }) =>
      parseResponse(
        blocksResponse,
        await api.flex.v1.blocks.$get({ query: { type, ...(pageParam ? { cursor: pageParam } : {}) } }),
      ),
    initialPageParam: initialCursor(),
    getNextPageParam: ({ cursor }) => cursor,
    // A live list: captures since the last visit belong at its top.
    staleTime: 10_000,
  });
}

/** The offers that the filters skipped, by reason. */
export const passedOverQuery = queryOptions({
  queryKey: ["passed-over"],
  queryFn: async () => parseResponse(passedOverResponse, await api.flex.v1.blocks["passed-over"].$get()),
  staleTime: 60_000,
});

/** Offers that the driver could take in place of a held block, as they are listed now. */
export function otherOffersQuery(blockId: string) {
  return queryOptions({
    queryKey: ["other-offers", blockId],
    queryFn: async () =>
      parseResponse(
        otherOffersResponse,
        await api.flex.v1.blocks[":id"]["other-offers"].$get({ param: { id: blockId } }),
      ),
    staleTime: 0,
    refetchInterval: atOwnPace(OTHER_OFFERS_EVERY_MS),
  });
}

/** POST /flex/v1/blocks/{id}/take-again: a block that the driver gave back may be taken again. */
export async function takeBlockAgain(blockId: string): Promise<void> {
  await requireOk(await api.flex.v1.blocks[":id"]["take-again"].$post({ param: { id: blockId } }));
}

function initialCursor(): string | null {
  return null;
}
