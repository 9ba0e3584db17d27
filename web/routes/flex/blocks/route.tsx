import { createFileRoute, Outlet, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { blockTab, type BlockTab } from "../../../features/blocks/block-tab.ts";
import { BlocksScreen } from "../../../features/blocks/blocks-screen.tsx";
import { BlocksPending } from "../../../features/blocks/blocks-skeleton.tsx";

export const Route = createFileRoute("/flex/blocks")({
  validateSearch: (given: { type?: BlockTab } & SearchSchemaInput) => ({
    type: z.safeParse(blockTab, given.type).data ?? "won",
  }),
  pendingComponent: BlocksPending,
  component: Blocks,
});

function Blocks() {
  const { type } = Route.useSearch();
  return (
    <BlocksScreen type={type}>
      <Outlet />
    </BlocksScreen>
  );
}
