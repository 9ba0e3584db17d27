import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useSelector } from "@tanstack/react-store";
import { WifiOff } from "lucide-react";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import type { BlockList } from "../../../worker/contract/blocks.ts";
import { liveStore } from "../../api/live.ts";
import { codeOf } from "../../api/problem.ts";
import { blocksQuery, warehousesQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useWide } from "../../ui/use-wide.ts";
import { sayProblem } from "../language/problem-words.ts";
import { OfferSheet, type Opened } from "../offers/offer-sheet.tsx";
import { placeOf } from "../offers/place-of.ts";
import { BlockCards } from "./block-cards.tsx";
import { BlockTable } from "./block-table.tsx";
import { BlockTabs } from "./block-tabs.tsx";
import { LIST_WORDS } from "./list-words.ts";
import { toFeedItem } from "./to-feed-item.ts";

/** What was captured, passed over and gone. */
export function BlocksScreen({ type }: { type: BlockList }) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <h1 className="text-2xl">{m.blocks_title()}</h1>
      <BlockTabs />
      <p className="text-soft">{LIST_WORDS[type].text()}</p>
      <List key={type} type={type} />
    </div>
  );
}

function List({ type }: { type: BlockList }) {
  const [opened, setOpened] = useState<Opened | null>(null);
  const list = useInfiniteQuery(blocksQuery(type));
  const warehouses = useWarehouses();
  const isWide = useWide();
  if (list.isPending) return <ListSkeleton />;
  if (list.isError && !list.data) return <Failed error={list.error} onAgain={() => void list.refetch()} />;
  const rows = list.data.pages
    .flatMap((page) => page.items)
    .map((item) => {
      const shown = toFeedItem(item);
      return { item: shown, place: placeOf(shown.offer, warehouses) };
    });
  if (rows.length === 0) return <Empty type={type} />;
  const more = {
    hasMore: list.hasNextPage,
    isLoading: list.isFetchingNextPage,
    load: () => void list.fetchNextPage(),
  };
  return (
    <>
      {isWide ? (
        <BlockTable type={type} rows={rows} more={more} onOpen={setOpened} />
      ) : (
        <BlockCards rows={rows} more={more} onOpen={setOpened} />
      )}
      <div className="grid justify-items-center py-2 text-sm text-soft">
        {more.hasMore ? (
          <Button look="quiet" disabled={more.isLoading} onClick={more.load}>
            {more.isLoading ? m.blocks_loading_more() : m.blocks_more()}
          </Button>
        ) : (
          <p>{m.blocks_end()}</p>
        )}
      </div>
      <OfferSheet opened={opened} onClose={() => setOpened(null)} />
    </>
  );
}

/** The names of the warehouses: what the live line last told is good enough until the list has come. */
function useWarehouses() {
  const told = useSelector(liveStore, (live) => live.snapshot?.warehouses);
  const { data } = useQuery(warehousesQuery);
  return data?.warehouses ?? told ?? [];
}

function Empty({ type }: { type: BlockList }) {
  const { Icon, empty, emptyText } = LIST_WORDS[type];
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
      <Notice Icon={Icon} title={empty()} actions={actions}>
        {emptyText()}
      </Notice>
    </div>
  );
}

function Failed({ error, onAgain }: { error: unknown; onAgain: () => void }) {
  const action = (
    <Button look="primary" onClick={onAgain}>
      {m.try_again()}
    </Button>
  );
  return (
    <div className="card">
      <Notice Icon={WifiOff} role="alert" title={m.blocks_failed_title()} actions={action}>
        {codeOf(error) === "internal" ? m.blocks_failed_unknown() : sayProblem(error)}
        <br />
        {m.blocks_failed_text()}
      </Notice>
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
