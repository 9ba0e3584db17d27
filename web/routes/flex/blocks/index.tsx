import { createFileRoute } from "@tanstack/react-router";
import { blocksQuery } from "../../../api/queries/blocks.ts";
import { BlockListError, BlockListPending } from "../../../features/blocks/states.tsx";
import { BlockListView } from "../../../features/blocks/block-list-view.tsx";
import { UpcomingBlocks } from "../../../features/blocks/upcoming-blocks.tsx";
import { loadWarehouseNames } from "../../../features/offers/warehouses.ts";

export const Route = createFileRoute("/flex/blocks/")({
  loaderDeps: ({ search: { type } }) => ({ type }),
  loader: async ({ context: { queryClient }, deps: { type } }) => {
    const names = loadWarehouseNames(queryClient);
    if (type === "upcoming") return;
    await Promise.all([queryClient.ensureInfiniteQueryData(blocksQuery(type)), names]);
  },
  // Each list has its own scroll position and open sheet.
  remountDeps: ({ loaderDeps }) => loaderDeps,
  pendingComponent: BlockListPending,
  errorComponent: BlockListError,
  component: List,
});

function List() {
  const { type } = Route.useSearch();
  return type === "upcoming" ? <UpcomingBlocks /> : <BlockListView type={type} />;
}
