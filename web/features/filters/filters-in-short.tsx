import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { WifiOff } from "lucide-react";
import type { DaySchedule, Filters } from "../../../durable/engine/rules.ts";
import { configQuery, filtersQuery, warehousesQuery } from "../../api/queries.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { sayMinuteOfDay, sayMoney, sayWeekday } from "../language/format.ts";
import { nameOf } from "../offers/place-of.ts";
import { windowKind } from "./day-window.ts";
import { sayRule } from "./rule-sentence.ts";

/** What is taken now, as saved: to be read, and one tap from where it is changed. */
export function FiltersInShort() {
  const saved = useQuery(filtersQuery);
  return (
    <div className="grid gap-5">
      {saved.data && <Rules filters={saved.data.filters} />}
      {saved.isPending && <Skeleton className="h-40" />}
      {saved.isError && !saved.data && (
        <Notice Icon={WifiOff} role="alert" title={m.filters_failed_title()}>
          {m.filters_failed_text()}
        </Notice>
      )}
      <Link to="/flex/filters" className={buttonClass("primary")}>
        {m.offer_change_filters()}
      </Link>
    </div>
  );
}

function Rules({ filters }: { filters: Filters }) {
  const currency = useQuery(configQuery).data?.currency ?? "USD";
  const known = useQuery(warehousesQuery).data?.warehouses ?? [];
  const selected = filters.warehouses.filter((rule) => rule.selected);
  return (
    <>
      <section className="grid gap-2">
        <h3 className="text-base">{m.warehouses_title()}</h3>
        {selected.length === 0 && <p className="text-soft">{m.switch_refused_filters()}</p>}
        <ul className="grid gap-2">
          {selected.map((rule) => (
            <li key={rule.warehouseId}>
              <span className="block font-semibold">
                {nameOf(known.find(({ warehouseId }) => warehouseId === rule.warehouseId))}
              </span>
              <span className="block text-sm text-soft">{sayRule(rule, currency)}</span>
            </li>
          ))}
        </ul>
        {filters.minHourlyCents !== null && (
          <p className="text-sm text-soft">
            {m.filters_short_general({ money: sayMoney(filters.minHourlyCents, currency) })}
          </p>
        )}
      </section>
      <section className="grid gap-2">
        <h3 className="text-base">{m.week_title()}</h3>
        <dl className="figures grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-sm">
          {filters.schedule.map((day, index) => {
            const name = sayWeekday(index + 1);
            return (
              <div key={name} className="contents">
                <dt className="first-letter:uppercase">{name}</dt>
                <dd className="text-soft">{sayDay(day)}</dd>
              </div>
            );
          })}
        </dl>
      </section>
    </>
  );
}

function sayDay(day: DaySchedule): string {
  if (!day.active) return m.week_off();
  if (windowKind(day) === "whole") return m.week_all_day();
  return m.time_span({ start: sayMinuteOfDay(day.start), end: sayMinuteOfDay(day.end) });
}
