import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Link2, WifiOff } from "lucide-react";
import { useEffect } from "react";
import type { FiltersAnswer } from "../../../worker/contract/filters.ts";
import type { Warehouse } from "../../../durable/engine/types.ts";
import { codeOf } from "../../api/problem.ts";
import { configQuery, filtersQuery, warehousesQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
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
  if (warehouses.isError && codeOf(warehouses.error) === "not_linked") return <NotLinked />;
  if (filters.data && (warehouses.data || warehouses.isError)) {
    return (
      <Editor
        saved={filters.data}
        warehouses={warehouses.data?.warehouses ?? null}
        onAgain={() => void warehouses.refetch()}
      />
    );
  }
  if (!filters.isError) return <FiltersSkeleton />;
  const again = () => {
    void filters.refetch();
    void warehouses.refetch();
  };
  return <Failed title={m.filters_failed_title()} text={m.filters_failed_text()} onAgain={again} />;
}

function Failed({ title, text, onAgain }: { title: string; text: string; onAgain: () => void }) {
  const action = (
    <Button look="primary" onClick={onAgain}>
      {m.try_again()}
    </Button>
  );
  return (
    <div className="card">
      <Notice Icon={WifiOff} role="alert" title={title} actions={action}>
        {text}
      </Notice>
    </div>
  );
}

const NONE: readonly Warehouse[] = [];

/** `warehouses` is null where they could not be loaded: the week and the minimum can be changed all the same. */
function Editor({
  saved,
  warehouses,
  onAgain,
}: {
  saved: FiltersAnswer;
  warehouses: readonly Warehouse[] | null;
  onAgain: () => void;
}) {
  useEffect(restoreDraft, []);
  const { draft, change, faults, isChanged } = useFiltersDraft(saved, warehouses ?? NONE);
  const currency = useQuery(configQuery).data?.currency ?? "USD";
  const editing = { draft, change, faults, currency };
  return (
    <>
      {warehouses ? (
        <WarehouseList {...editing} warehouses={warehouses} saved={saved.filters} />
      ) : (
        <Failed title={m.warehouses_failed_title()} text={m.warehouses_failed_text()} onAgain={onAgain} />
      )}
      <GeneralMinimum {...editing} />
      <Week draft={draft} change={change} />
      {isChanged && <SaveBar draft={draft} faults={faults} />}
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
