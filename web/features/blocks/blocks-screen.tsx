import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { WifiOff } from "lucide-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { BlockList } from "../../../db/shapes/driver-log.ts";
import { liveStore } from "../../api/live.ts";
import { errorCodeOf } from "../../api/api-error.ts";
import { blocksQuery, warehousesQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useIsWide } from "../../ui/use-is-wide.ts";
import { errorMessage } from "../language/error-messages.ts";
import { OfferSheet, type SelectedOffer } from "../offers/offer-sheet.tsx";
import { offerPlace } from "../offers/offer-place.ts";
import { BlockCards } from "./block-cards.tsx";
import { BlockTable } from "./block-table.tsx";
import { BlockTabs } from "./block-tabs.tsx";
import { LIST_LABELS } from "./list-labels.ts";
import { blockToFeedItem } from "./block-to-feed-item.ts";

/** What was captured, passed over and gone. */
export function BlocksScreen({ type }: { type: BlockList }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <h1 className="text-2xl">{m.blocks_title()}</h1>
      <BlockTabs />
      <p className="text-soft">{LIST_LABELS[type].text()}</p>
      <List key={type} type={type} />
    </div>
  );
}

function List({ type }: { type: BlockList }) {
  const [selected, setSelected] = useState<SelectedOffer | null>(null);
  const list = useInfiniteQuery(blocksQuery(type));
  const warehouses = useWarehouses();
  const isWide = useIsWide();
  if (list.isPending) return <ListSkeleton />;
  if (list.isError && !list.data) return <LoadError error={list.error} onRetry={() => void list.refetch()} />;
  const rows = list.data.pages
    .flatMap((page) => page.items)
    .map((item) => {
      const feedItem = blockToFeedItem(item);
      return { item: feedItem, place: offerPlace(feedItem.offer, warehouses) };
    });
  if (rows.length === 0) return <Empty type={type} />;
  const pagination = {
    hasMore: list.hasNextPage,
    isLoading: list.isFetchingNextPage,
    load: () => void list.fetchNextPage(),
  };
  return (
    <>
      {isWide ? (
        <BlockTable type={type} rows={rows} pagination={pagination} onOpen={setSelected} />
      ) : (
        <BlockCards rows={rows} pagination={pagination} onOpen={setSelected} />
      )}
      <div className="grid justify-items-center py-2 text-sm text-soft">
        {pagination.hasMore ? (
          <Button variant="quiet" disabled={pagination.isLoading} onClick={pagination.load}>
            {pagination.isLoading ? m.blocks_loading_more() : m.blocks_more()}
          </Button>
        ) : (
          <p>{m.blocks_end()}</p>
        )}
      </div>
      <OfferSheet selected={selected} onClose={() => setSelected(null)} />
    </>
  );
}

/** The names of the warehouses: what the live line last told is good enough until the list has come. */
function useWarehouses() {
  const liveWarehouses = useSelector(liveStore, (live) => live.snapshot?.warehouses);
  const { data } = useQuery(warehousesQuery);
  return data?.warehouses ?? liveWarehouses ?? [];
}

function Empty({ type }: { type: BlockList }) {
  const { Icon, empty, emptyText } = LIST_LABELS[type];
  const actions = (
    <>
      <Link to="/flex/filters" className={buttonClass("plain")}>
        {m.blocks_go_filters()}
      </Link>
      <Link to="/flex/dashboard" className={buttonClass("plain")}>
        {m.blocks_go_dashboard()}
      </Link>
    </>
  );
  return (
    <div className="card">
      <StatusPanel Icon={Icon} title={empty()} actions={actions}>
        {emptyText()}
      </StatusPanel>
    </div>
  );
}

function LoadError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const action = (
    <Button variant="primary" onClick={onRetry}>
      {m.try_again()}
    </Button>
  );
  return (
    <div className="card">
      <StatusPanel Icon={WifiOff} role="alert" title={m.blocks_failed_title()} actions={action}>
        {errorCodeOf(error) === "internal" ? m.blocks_failed_unknown() : errorMessage(error)}
        <br />
        {m.blocks_failed_text()}
      </StatusPanel>
    </div>
  );
}

function ListSkeleton() {
  return (
    <output className="grid gap-2">
      <span className="sr-only">{m.loading()}</span>
      {["a", "b", "c", "d", "e", "f", "g", "h"].map((row) => (
        <Skeleton key={row} className="h-16" />
      ))}
    </output>
  );
}
