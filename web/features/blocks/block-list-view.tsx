import { useSuspenseInfiniteQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { ListTotal } from "../../../worker/contract/work/blocks.ts";
import type { BlockList } from "../../../db/shapes/log/driver-log.ts";
import { MINUTE_MS } from "../../../db/shapes/units.ts";
import { blocksQuery } from "../../api/queries/blocks.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { SETTLED_CLASS } from "../../ui/skeleton.tsx";
import { FormError } from "../../ui/notices.tsx";
import { EmptyList } from "../../ui/empty-list.tsx";
import { useIsWide } from "../../ui/use-is-wide.ts";
import { useNow } from "../../ui/use-now.ts";
import { errorMessage } from "../language/error-messages.ts";
import { formatCount, formatExactMoney, formatLength } from "../language/format.ts";
import { blockToFeedItem } from "../offers/feed-item.ts";
import { OfferSheet } from "./offer-sheet.tsx";
import type { SelectedOffer } from "../offers/offer-details.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { offerPlace } from "../offers/offer-place.ts";
import { useWarehouses } from "../offers/warehouses.ts";
import { BlockCards } from "./block-cards.tsx";
import { BlockTable } from "./block-table.tsx";
import { LIST_LABELS } from "./list-labels.ts";
import { PassedOver } from "./passed-over.tsx";
import { useIsPrinted } from "./use-virtual-rows.ts";

/** One of the three lists, page by page. */
export function BlockListView({ type }: { type: BlockList }) {
  const [selected, setSelected] = useState<SelectedOffer | null>(null);
  const list = useSuspenseInfiniteQuery(blocksQuery(type));
  const warehouses = useWarehouses();
  const now = useNow(MINUTE_MS);
  const isWide = useIsWide();
  const isPrinted = useIsPrinted();
  const rows = list.data.pages
    .flatMap((page) => page.items)
    .map((item) => {
      const feedItem = blockToFeedItem(item);
      return { item: feedItem, place: offerPlace(feedItem.offer, warehouses) };
    });
  if (rows.length === 0)
    return (
      <>
        <StaleNotice query={list} />
        <Empty type={type} />
      </>
    );
  const total = list.data.pages[0]?.total ?? null;
  const pagination = {
    hasMore: list.hasNextPage,
    isLoading: list.isFetchingNextPage,
    hasFailed: list.isFetchNextPageError,
    load: () => void list.fetchNextPage(),
  };
  return (
    <>
      <StaleNotice query={list} />
      <div className="peer empty:hidden">{type === "disliked" && <PassedOver warehouses={warehouses} />}</div>
      <div className={`grid grid-cols-1 gap-4 print:block ${SETTLED_CLASS}`}>
        {total && <ListTotalLine total={total} />}
        {isWide && !isPrinted ? (
          <BlockTable type={type} rows={rows} now={now} pagination={pagination} onOpen={setSelected} />
        ) : (
          <BlockCards rows={rows} now={now} pagination={pagination} onOpen={setSelected} />
        )}
        {pagination.hasFailed && <FormError title={m.blocks_more_failed()} hint={errorMessage(list.error)} />}
        <div className="grid justify-items-center py-2 text-sm text-soft">
          {pagination.hasMore ? (
            <Button
              variant="quiet"
              aria-disabled={pagination.isLoading}
              onClick={() => pagination.isLoading || pagination.load()}
            >
              {pagination.isLoading ? m.blocks_loading_more() : m.blocks_more()}
            </Button>
          ) : (
            <p>{m.blocks_end()}</p>
          )}
        </div>
      </div>
      <OfferSheet
        selected={selected}
        items={rows.map(({ item }) => item)}
        onClose={() => setSelected(null)}
      />
    </>
  );
}

/** How many there are on all pages, and what the captured ones pay and last. */
function ListTotalLine({ total: { count, payCents, minutes, currency } }: { total: ListTotal }) {
  return (
    <p className="figures flex flex-wrap items-baseline justify-between gap-x-4" data-testid="list-total">
      <span className="text-soft">{m.blocks_total({ count: formatCount(count) })}</span>
      {currency !== null && (
        <span>
          <span className="text-soft">{formatLength(minutes)} · </span>
          <span className="font-semibold">{formatExactMoney(payCents, currency)}</span>
        </span>
      )}
    </p>
  );
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
    <EmptyList Icon={Icon} title={empty()} actions={actions}>
      {emptyText()}
    </EmptyList>
  );
}
