import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Link } from "@tanstack/react-router";
import { Link2 } from "lucide-react";
import { errorCodeOf } from "../../api/client/request-error.ts";
import { buttonClass } from "../../ui/button.tsx";
import { EmptyList } from "../../ui/empty-list.tsx";
import { LoadError, type CaughtError } from "../errors/load-error.tsx";

/** While the filters load. */
export function FiltersPending() {
  return (
    <Screen title={m.filters_title()} text={m.filters_lead()}>
      <Pending>
        <output className="grid gap-4">
          <span className="sr-only">{m.loading()}</span>
          <Skeleton className="h-28 rounded-card" />
          <Skeleton className="h-28 rounded-card" />
          <Skeleton className="h-36 rounded-card" />
          <Skeleton className="h-96 rounded-card" />
        </output>
      </Pending>
    </Screen>
  );
}

/** While the warehouses are fetched again. */
export function WarehousesSkeleton() {
  return (
    <output className="grid gap-3">
      <span className="sr-only">{m.loading()}</span>
      <Skeleton className="h-28 rounded-card" />
      <Skeleton className="h-28 rounded-card" />
    </output>
  );
}

/** In place of the filters, which couldn't be loaded or need a linked account first. */
export function FiltersError(caught: CaughtError) {
  const isNotLinked = errorCodeOf(caught.error) === "not_linked";
  return (
    <Screen width={isNotLinked ? "full" : "reading"} title={m.filters_title()} text={m.filters_lead()}>
      {isNotLinked ? (
        <NotLinked />
      ) : (
        <div className="card">
          <LoadError {...caught} title={m.filters_failed_title()}>
            {m.filters_failed_text()}
          </LoadError>
        </div>
      )}
    </Screen>
  );
}

/** In place of the warehouses only. */
export function WarehousesError(caught: CaughtError) {
  return (
    <div className="card">
      <LoadError {...caught} isPart title={m.warehouses_failed_title()}>
        {m.warehouses_failed_text()}
      </LoadError>
    </div>
  );
}

function NotLinked() {
  const action = (
    <Link to="/flex/login" className={buttonClass("primary")}>
      {m.phase_needs_link_action()}
    </Link>
  );
  return (
    <EmptyList Icon={Link2} title={m.filters_not_linked_title()} actions={action}>
      {m.filters_not_linked_text()}
    </EmptyList>
  );
}
