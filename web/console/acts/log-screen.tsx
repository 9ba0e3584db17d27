import { useInfiniteQuery } from "@tanstack/react-query";
import { Button } from "../../ui/button.tsx";
import { ActTable } from "./act-table.tsx";
import { actsQuery } from "../calls/acts.ts";
import { ExportButton } from "../tables/csv-button.tsx";
import { CSV_COLUMNS } from "../tables/csv-columns.ts";
import { m } from "../messages/messages.js";
import { QueryState } from "../calls/load-states.tsx";

/** Everything that operators did, newest first. */
export function LogScreen() {
  const acts = useInfiniteQuery(actsQuery);
  const rows = acts.data?.pages.flatMap((page) => page.acts) ?? [];
  return (
    <>
      <div className="flex flex-wrap items-end justify-between gap-3">
        <div>
          <h1 className="text-2xl">{m.acts_all()}</h1>
          <p className="mt-1 text-soft">{m.acts_text()}</p>
        </div>
        <ExportButton
          order={{ table: "acts" }}
          table={m.acts_all()}
          columns={CSV_COLUMNS.acts}
          rowsOf={({ acts: exported }) => exported}
        />
      </div>
      <QueryState query={acts} className="" />
      {acts.data && (
        <div className="card overflow-hidden pt-2">
          <ActTable acts={rows} hasDriver />
        </div>
      )}
      {acts.hasNextPage && (
        <Button
          className="justify-self-start"
          aria-disabled={acts.isFetchingNextPage}
          onClick={() => acts.isFetchingNextPage || void acts.fetchNextPage()}
        >
          {m.acts_more()}
        </Button>
      )}
    </>
  );
}
