import { useQuery } from "@tanstack/react-query";
import { Link2, WifiOff } from "lucide-react";
import { useEffect } from "react";
import type { FiltersAnswer } from "../../../worker/contract/filters.ts";
import type { Warehouse } from "../../../durable/engine/types.ts";
import { codeOf } from "../../api/problem.ts";
import { configQuery, filtersQuery, warehousesQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { restoreDraft } from "./draft-store.ts";
import { GeneralMinimum } from "./general-minimum.tsx";
import { SaveBar } from "./save-bar.tsx";
import { useFiltersDraft } from "./use-filters-draft.ts";
import { WarehouseList } from "./warehouse-list.tsx";
import { Week } from "./week.tsx";

/** What is taken, where and when. */
export function FiltersScreen() {
  return (
    <div className="mx-auto grid max-w-4xl grid-cols-1 gap-4">
      <div>
        <h1 className="text-2xl">{m.filters_title()}</h1>
        <p className="mt-1 max-w-prose text-soft">{m.filters_lead()}</p>
      </div>
      <Content />
    </div>
  );
}

function Content() {
  const filters = useQuery(filtersQuery);
  const warehouses = useQuery(warehousesQuery);
  if (filters.data && warehouses.data) {
    return <Editor saved={filters.data} warehouses={warehouses.data.warehouses} />;
  }
  const error = filters.error ?? warehouses.error;
  if (!error) return <FiltersSkeleton />;
  if (codeOf(error) === "not_linked") return <NotLinked />;
  const again = () => {
    void filters.refetch();
    void warehouses.refetch();
  };
  return (
    <div className="card">
      <Notice
        Icon={WifiOff}
        role="alert"
        title={m.filters_failed_title()}
        actions={
          <Button look="primary" onClick={again}>
            {m.try_again()}
          </Button>
        }
      >
        {m.filters_failed_text()}
      </Notice>
    </div>
  );
}

function Editor({ saved, warehouses }: { saved: FiltersAnswer; warehouses: readonly Warehouse[] }) {
  useEffect(restoreDraft, []);
  const { draft, change, faults, isChanged } = useFiltersDraft(saved, warehouses);
  const currency = useQuery(configQuery).data?.currency ?? "USD";
  const editing = { draft, change, faults, currency };
  return (
    <>
      <WarehouseList {...editing} warehouses={warehouses} saved={saved.filters} />
      <GeneralMinimum {...editing} />
      <Week draft={draft} change={change} />
      {isChanged && <SaveBar draft={draft} faults={faults} />}
    </>
  );
}

function NotLinked() {
  const action = (
    <ButtonLink look="primary" href="/flex/login">
      {m.phase_needs_link_action()}
    </ButtonLink>
  );
  return (
    <div className="card">
      <Notice Icon={Link2} title={m.filters_not_linked_title()} actions={action}>
        {m.filters_not_linked_text()}
      </Notice>
    </div>
  );
}

function FiltersSkeleton() {
  return (
    <output className="grid gap-4">
      <span className="sr-only">{m.loading()}</span>
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-36 rounded-card" />
      <Skeleton className="h-96 rounded-card" />
    </output>
  );
}
