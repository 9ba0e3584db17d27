import { createFileRoute, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { blockList, type BlockList } from "../../../db/shapes/driver-log.ts";
import { blocksQuery } from "../../api/queries.ts";
import { sessionStore } from "../../api/session.ts";
import { BlocksScreen } from "../../features/blocks/blocks-screen.tsx";

export const Route = createFileRoute("/flex/blocks")({
  validateSearch: (given: { type?: BlockList } & SearchSchemaInput) => ({
    type: z.safeParse(blockList, given.type).data ?? "won",
  }),
  loaderDeps: ({ search: { type } }) => ({ type }),
  loader: ({ context: { queryClient }, deps: { type } }) => {
    if (sessionStore.get()) void queryClient.prefetchInfiniteQuery(blocksQuery(type));
  },
  component: Blocks,
});

function Blocks() {
  const { type } = Route.useSearch();
  return <BlocksScreen type={type} />;
}
