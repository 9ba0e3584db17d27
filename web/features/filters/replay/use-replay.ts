import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import type { ReplayDays } from "../../../../db/shapes/work/replay.ts";
import type { Mode } from "../../../../db/shapes/work/filters.ts";
import { filtersQuery } from "../../../api/queries/filters.ts";
import { replayQuery } from "../../../api/queries/replay.ts";
import type { Draft } from "../draft.ts";
import { draftToFilters } from "../draft-issues.ts";

/** How long the driver pauses before their changes are replayed. */
const PAUSE_MS = 500;

/** The log replayed by a draft, and by another mode if one is given, once the driver pauses; nothing while the draft has mistakes. */
export function useReplay(draft: Draft, days: ReplayDays, mode: Mode | null = null) {
  const { filters: saved, version } = useSuspenseQuery(filtersQuery).data;
  const settled = useSettled(draft);
  const filters = useMemo(() => draftToFilters(settled), [settled]);
  const { data, isFetching, isError, refetch } = useQuery({
    ...replayQuery({ filters: filters ?? saved, version, days, mode }),
    enabled: filters !== null,
  });
  return {
    replay: filters === null ? null : (data ?? null),
    isChecking: isFetching || settled !== draft,
    hasFailed: isError,
    checkAgain: () => void refetch(),
  };
}

/** A value once it has stayed the same for a moment. */
function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
