import { useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { warehousesQuery } from "../../api/queries/filters.ts";
import { useCurrency } from "../../api/queries/use-config.ts";
import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { useStaysInView } from "../../ui/edge-bar.ts";
import { Sheet } from "../../ui/sheet.tsx";
import type { Draft } from "./draft.ts";
import { findDifferences, mergeDrafts, proposeSide, type Difference, type Side } from "./merge.ts";
import { partLabel, partSummary } from "./part-labels.ts";
import type { Conflict } from "./use-filters-draft.ts";

/** Resolves a conflict between two tabs or devices, part by part. */
export function MergeSheet({
  conflict,
  onMerge,
  onLater,
}: {
  conflict: Conflict | null;
  onMerge: (draft: Draft) => void;
  onLater: () => void;
}) {
  return (
    <Sheet open={conflict !== null} onClose={onLater} role="alertdialog" title={m.merge_title()}>
      {conflict && <Parts conflict={conflict} onMerge={onMerge} onLater={onLater} />}
    </Sheet>
  );
}

function Parts({
  conflict,
  onMerge,
  onLater,
}: {
  conflict: Conflict;
  onMerge: (draft: Draft) => void;
  onLater: () => void;
}) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Side>>(new Map());
  const { ref, staysInView } = useStaysInView();
  const differences = useMemo(() => findDifferences(conflict), [conflict]);
  const sideOf = (difference: Difference) => chosen.get(difference.key) ?? proposeSide(difference);
  const chooseAll = (side: Side) => setChosen(new Map(differences.map(({ key }) => [key, side])));
  return (
    <div className="grid grid-cols-1 gap-4" data-testid="merge">
      <p className="text-soft">{m.merge_text()}</p>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,8rem),1fr))] gap-2">
        <Button className="text-sm" onClick={() => chooseAll("mine")}>
          {m.merge_all_mine()}
        </Button>
        <Button className="text-sm" onClick={() => chooseAll("theirs")}>
          {m.merge_all_theirs()}
        </Button>
      </div>
      <ul className="grid gap-3">
        {differences.map((difference) => (
          <li key={difference.key}>
            <PartChoice
              difference={difference}
              side={sideOf(difference)}
              onChoose={(side) => setChosen(new Map(chosen).set(difference.key, side))}
            />
          </li>
        ))}
      </ul>
      <div
        ref={ref}
        className={`${staysInView ? "sticky bottom-0" : ""} -mx-5 -mb-5 grid gap-2 border-t border-line bg-raised p-5 sm:grid-cols-2`}
      >
        <Button variant="primary" onClick={() => onMerge(mergeDrafts(conflict.mine, differences, sideOf))}>
          {m.merge_save()}
        </Button>
        <Button variant="quiet" onClick={onLater}>
          {m.merge_later()}
        </Button>
      </div>
    </div>
  );
}

const CHANGED_BY = {
  mine: m.merge_by_me,
  theirs: m.merge_by_them,
  both: m.merge_by_both,
} satisfies Record<Difference["changedBy"], () => string>;

/** One warehouse, day or minimum, as it is here and there. */
function PartChoice({
  difference: { mine, theirs, changedBy },
  side,
  onChoose,
}: {
  difference: Difference;
  side: Side;
  onChoose: (side: Side) => void;
}) {
  const group = useId();
  const currency = useCurrency();
  const warehouses = useQuery(warehousesQuery).data?.warehouses ?? [];
  const sides = [
    { of: "mine", name: m.merge_here(), words: partSummary(mine, currency) },
    { of: "theirs", name: m.merge_there(), words: partSummary(theirs, currency) },
  ] as const;
  return (
    <fieldset className="rounded-field border border-line p-3">
      <legend className="float-left w-full pb-2">
        <span className="block font-semibold first-letter:uppercase">{partLabel(mine, warehouses)}</span>
        <span className={`block text-sm ${changedBy === "both" ? "text-warn" : "text-soft"}`}>
          {CHANGED_BY[changedBy]()}
        </span>
      </legend>
      <div className="clear-both grid gap-2 sm:grid-cols-2">
        {sides.map(({ of, name, words }) => (
          <label
            key={of}
            className="grid min-h-11 grid-cols-[auto_1fr] content-start gap-x-3 rounded-field border border-edge p-3 has-checked:border-ink has-checked:bg-sunken"
          >
            <input
              type="radio"
              name={group}
              value={of}
              checked={side === of}
              onChange={() => onChoose(of)}
              className="row-span-2 mt-1 size-4.5 accent-ink"
            />
            <span className="text-sm font-semibold">{name}</span>
            <span className="figures text-sm first-letter:uppercase">{words}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
