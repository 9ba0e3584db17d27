import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Link2, WifiOff } from "lucide-react";
import { useEffect } from "react";
import type { FiltersResponse } from "../../../worker/contract/filters.ts";
import type { Warehouse } from "../../../db/shapes/offer.ts";
import { errorCodeOf } from "../../api/api-error.ts";
import { configQuery, filtersQuery, warehousesQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { restoreDraft } from "./draft-store.ts";
import { GeneralMinimum } from "./general-minimum.tsx";
import { SaveBar } from "./save-bar.tsx";
import { useFiltersDraft } from "./use-filters-draft.ts";
import { WarehouseList } from "./warehouse-list.tsx";
import { WeekEditor } from "./week-editor.tsx";

/** What is taken, where and when. */
export function FiltersScreen() {
  return (
    <div className="grid max-w-4xl grid-cols-1 gap-4">
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
  if (warehouses.isError && errorCodeOf(warehouses.error) === "not_linked") return <NotLinked />;
  if (filters.data && (warehouses.data || warehouses.isError)) {
    return (
      <Editor
        saved={filters.data}
        warehouses={warehouses.data?.warehouses ?? null}
        onRetry={() => void warehouses.refetch()}
      />
    );
  }
  if (!filters.isError) return <FiltersSkeleton />;
  const retry = () => {
    void filters.refetch();
    void warehouses.refetch();
  };
  return <LoadError title={m.filters_failed_title()} text={m.filters_failed_text()} onRetry={retry} />;
}

function LoadError({ title, text, onRetry }: { title: string; text: string; onRetry: () => void }) {
  const action = (
    <Button variant="primary" onClick={onRetry}>
      {m.try_again()}
    </Button>
  );
  return (
    <div className="card">
      <StatusPanel Icon={WifiOff} role="alert" title={title} actions={action}>
        {text}
      </StatusPanel>
    </div>
  );
}

const NONE: readonly Warehouse[] = [];

/** `warehouses` is null where they could not be loaded: the week and the minimum can be changed all the same. */
function Editor({
  saved,
  warehouses,
  onRetry,
}: {
  saved: FiltersResponse;
  warehouses: readonly Warehouse[] | null;
  onRetry: () => void;
}) {
  useEffect(restoreDraft, []);
  const { draft, change, issues, isChanged } = useFiltersDraft(saved, warehouses ?? NONE);
  const currency = useQuery(configQuery).data?.currency ?? "USD";
  const editing = { draft, change, issues, currency };
  return (
    <>
      {warehouses ? (
        <WarehouseList {...editing} warehouses={warehouses} saved={saved.filters} />
      ) : (
        <LoadError title={m.warehouses_failed_title()} text={m.warehouses_failed_text()} onRetry={onRetry} />
      )}
      <GeneralMinimum {...editing} />
      <WeekEditor draft={draft} change={change} />
      {isChanged && <SaveBar draft={draft} issues={issues} />}
    </>
  );
}

function NotLinked() {
  const action = (
    <Link to="/flex/login" className={buttonClass("primary")}>
      {m.phase_needs_link_action()}
    </Link>
  );
  return (
    <div className="card">
      <StatusPanel Icon={Link2} title={m.filters_not_linked_title()} actions={action}>
        {m.filters_not_linked_text()}
      </StatusPanel>
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
