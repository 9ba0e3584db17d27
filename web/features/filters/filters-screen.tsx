import { useSuspenseQuery, useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import { filtersQuery, warehousesQuery } from "../../api/queries/filters.ts";
import { useCurrency } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { INPUT_CLASS } from "../../ui/inputs/field.tsx";
import { Screen } from "../../ui/screen.tsx";
import { StatusPanel } from "../../ui/status-panel.tsx";
import { useUser } from "../session/use-user.ts";
import { SpotNotice } from "../spots/spot-notice.tsx";
import { StaleNotice } from "../errors/stale-notice.tsx";
import { LoadBoundary } from "../errors/load-error.tsx";
import { useStartStep } from "../start/use-start-step.ts";
import { useLeadOn } from "../start/use-lead-on.ts";
import { arrangeWarehouses, groupByState, searchGroups } from "./arrange-warehouses.ts";
import { restoreDraft } from "./draft-store.ts";
import { LimitsCard } from "./limits-card.tsx";
import { WarehousesError, WarehousesSkeleton } from "./states.tsx";
import { SaveBar } from "./save-bar.tsx";
import { useFiltersDraft, useSaveFilters } from "./use-filters-draft.ts";
import { WarehouseGroup } from "./warehouse-group.tsx";
import { WeekEditor } from "./week-editor.tsx";
import { CircleCheck, TriangleAlert, Warehouse as WarehouseIcon } from "lucide-react";
import { findFilterGaps } from "../../../db/shapes/work/filter-completeness.ts";
import { INITIAL_RULE } from "../../../db/shapes/work/filters.ts";
import { Banner } from "../../ui/notices.tsx";
import type { Draft } from "./draft.ts";
import type { DraftEditing } from "./draft-issues.ts";
import { gapMessages } from "./gap-messages.ts";
import { NumberField } from "../../ui/inputs/number-field.tsx";
import { Switch } from "../../ui/inputs/switch.tsx";
import { formatCurrencySymbol } from "../language/format.ts";
import { formatTypedFigure } from "../language/typed-figure.ts";
import { issueMessage } from "./issue-messages.ts";

/** Which blocks to capture, where and when. On a desk the week stands beside the warehouses. */
export function FiltersScreen({
  proposed,
  onProposed,
}: {
  /** A change to make in the draft: the driver looks at it, and saves it or not. */
  proposed: FilterChange | null;
  onProposed: () => void;
}) {
  useEffect(restoreDraft, []);
  const { draft, change: onChange, propose, issues, isChanged } = useFiltersDraft();
  const makeProposed = useEffectEvent((change: FilterChange) => {
    propose(change);
    onProposed();
  });
  useEffect(() => {
    if (proposed) makeProposed(proposed);
  }, [proposed]);
  const isStep = useStartStep()?.step === "warehouses";
  const saving = useSaveFilters({ onSaved: useLeadOn() });
  const editing = {
    draft,
    onChange,
    issues: { ...saving.refused, ...issues },
    currency: useCurrency(),
  };
  return (
    <Screen title={isStep ? m.start_title_warehouses() : m.filters_title()} text={m.filters_lead()}>
      <StaleNotice query={useSuspenseQuery(filtersQuery)} />
      <SpotNotice />
      <FilterCompleteness draft={draft} />
      {/* Two columns where both have room for their text, however large it is. */}
      <div className="@container">
        <div className="grid grid-cols-1 items-start gap-4 @min-[56rem]:grid-cols-[minmax(0,1fr)_25rem]">
          <div className="grid grid-cols-1 gap-4">
            <LoadBoundary skeleton={<WarehousesSkeleton />} errorComponent={WarehousesError}>
              <WarehouseList {...editing} />
            </LoadBoundary>
            <GeneralMinimum {...editing} />
            <LimitsCard {...editing} />
          </div>
          <WeekEditor draft={draft} onChange={onChange} />
        </div>
      </div>
      {isChanged && <SaveBar draft={draft} issues={issues} saving={saving} />}
    </Screen>
  );
}

/**
 * Whether the filters are complete, and their gaps where no block can fit them. Before a warehouse is selected the
 * screen itself says so.
 */
function FilterCompleteness({ draft }: { draft: Draft }) {
  const listed = useQuery(warehousesQuery).data?.warehouses.map(({ warehouseId }) => warehouseId);
  const gaps = findFilterGaps(toChoices(draft), listed?.length ? new Set(listed) : null);
  if ("warehouses" in gaps) return null;
  if (Object.keys(gaps).length === 0)
    return (
      <p className="flex items-center gap-2 text-sm text-soft">
        <CircleCheck aria-hidden className="size-4.5 shrink-0 text-good" />
        {m.filters_complete()}
      </p>
    );
  return (
    <Banner Icon={TriangleAlert}>
      <span className="block font-semibold">{m.filters_gap_title()}</span>
      {gapMessages(gaps)}
    </Banner>
  );
}

/** A draft whose further rules have figures: none of them decides whether any offer can fit. */
function toChoices({ schedule, warehouses }: Draft) {
  return {
    schedule,
    warehouses: warehouses.map((rule) => ({
      ...rule,
      extraRules: rule.extraRules.map((extra) => ({
        ...extra,
        ...INITIAL_RULE,
        durations: extra.durations,
      })),
    })),
  };
}

/** The hourly minimum for every warehouse, if the driver wants one. */
function GeneralMinimum({ draft, onChange, issues, currency }: DraftEditing) {
  const { general } = draft;
  return (
    <section className="card grid gap-3 p-5">
      <div className="flex items-center justify-between gap-4">
        <div>
          <h2 className="text-lg">{m.general_title()}</h2>
          <p className="mt-1 text-sm text-soft">{m.general_text()}</p>
        </div>
        <Switch
          label={m.general_enable()}
          checked={general.isOn}
          onChange={(isOn) => onChange({ ...draft, general: { ...general, isOn } })}
        />
      </div>
      {general.isOn && (
        <div className="max-w-60">
          <NumberField
            format={formatTypedFigure}
            label={m.rule_min_hourly()}
            prefix={formatCurrencySymbol(currency)}
            scale={100}
            value={general.cents}
            onChange={(cents) => onChange({ ...draft, general: { ...general, cents } })}
            error={issueMessage(issues["general"], currency)}
          />
        </div>
      )}
    </section>
  );
}

/** With fewer warehouses there is no search field. */
const SEARCH_FROM = 4;

/** The warehouses that the driver can select, each with its rule. */
function WarehouseList({ draft, onChange, issues, currency }: DraftEditing) {
  const { warehouses } = useSuspenseQuery(warehousesQuery).data;
  const saved = useSuspenseQuery(filtersQuery).data.filters;
  const [query, setQuery] = useState("");
  const arranged = useMemo(
    () => arrangeWarehouses(draft.warehouses, { warehouses, saved }),
    [draft.warehouses, warehouses, saved],
  );
  const groups = useMemo(() => groupByState(arranged), [arranged]);
  const found = searchGroups(groups, query);
  const { humanRegion } = useUser();
  const restName = groups.length === 1 ? (humanRegion ?? m.warehouses_here()) : m.warehouses_elsewhere();
  if (arranged.length === 0) {
    return (
      <section className="card">
        <StatusPanel Icon={WarehouseIcon} title={m.warehouses_empty()}>
          {m.warehouses_empty_text()}
        </StatusPanel>
      </section>
    );
  }
  return (
    <section className="grid grid-cols-1 gap-3" aria-labelledby="warehouses">
      <h2 id="warehouses" className="text-xl">
        {m.warehouses_title()}
      </h2>
      {arranged.length >= SEARCH_FROM && (
        <input
          type="search"
          aria-label={m.warehouses_search()}
          placeholder={m.warehouses_search()}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className={`${INPUT_CLASS} placeholder:text-soft`}
        />
      )}
      {found.length === 0 && (
        <p className="py-6 text-center text-soft">{m.warehouses_none_found({ query })}</p>
      )}
      {found.map((group) => (
        <WarehouseGroup
          key={group.state ?? "rest"}
          name={group.state ?? restName}
          group={group}
          isSearched={query.trim() !== ""}
          {...{ draft, onChange, issues, currency }}
        />
      ))}
    </section>
  );
}
