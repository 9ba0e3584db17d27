import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { blocksResponse } from "../../../worker/contract/work/blocks.ts";
import { passedOverResponse } from "../../../worker/contract/work/passed-over.ts";
import type { BlockList } from "../../../db/shapes/work/driver-log.ts";
import { api } from "../client/client.ts";
import { parseResponse, requireOk } from "../client/request.ts";

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
    // A live list: what was captured since the last visit belongs at its top.
    staleTime: 10_000,
  });
}

/** The offers that the filters skipped, by reason. */
export const passedOverQuery = queryOptions({
  queryKey: ["passed-over"],
  queryFn: async () => parseResponse(passedOverResponse, await api.flex.v1.blocks["passed-over"].$get()),
  staleTime: 60_000,
});

/** POST /flex/v1/blocks/{id}/take-again: a block that the driver gave back may be taken again. */
export async function takeBlockAgain(blockId: string): Promise<void> {
  await requireOk(await api.flex.v1.blocks[":id"]["take-again"].$post({ param: { id: blockId } }));
}

function initialCursor(): string | null {
  return null;
}
