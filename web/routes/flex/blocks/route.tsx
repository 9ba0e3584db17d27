import { createFileRoute, Outlet, type SearchSchemaInput } from "@tanstack/react-router";
import * as z from "zod/mini";
import { blockTab, type BlockTab } from "../../../features/blocks/block-tab.ts";
import { BlocksScreen } from "../../../features/blocks/blocks-screen.tsx";
import { searchParamOr } from "../../../features/navigation/search-param.ts";
import { BlocksPending } from "../../../features/blocks/states.tsx";

const search = z.object({ type: searchParamOr(blockTab, "won") });

export const Route = createFileRoute("/flex/blocks")({
  validateSearch: (given: { type?: BlockTab } & SearchSchemaInput) => z.parse(search, given),
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
