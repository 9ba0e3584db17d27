import type { QueryClient } from "@tanstack/react-query";
import type { DaySchedule, WeekSchedule } from "../../../db/shapes/work/filters.ts";
import { filtersQuery } from "../../api/queries/filters.ts";
import { draftStore, restoreDraft, saveDraft } from "../filters/draft-store.ts";
import { toDraft, withDay } from "../filters/draft.ts";

const HOUR = 60;
const DAY = 24 * HOUR;

/** Whether a schedule has a whole hour of the week (0 is Monday's first) in the windows of its own day or of the day before. */
export function hasHour(schedule: WeekSchedule, weekHour: number): boolean {
  const day = Math.floor(weekHour / 24);
  const from = (weekHour % 24) * HOUR;
  const own = schedule[day];
  const before = schedule[(day + 6) % 7];
  return (own !== undefined && contains(own, from)) || (before !== undefined && contains(before, from + DAY));
}

/** The last minute of a window, counted from its day's midnight. */
function endOf({ start, end }: DaySchedule): number {
  return end <= start ? end + DAY : end;
}

function contains(day: DaySchedule, from: number): boolean {
  return day.active && day.start <= from && from + HOUR <= endOf(day);
}

/** A day's window with an hour more: as much of what it had as 24 hours hold. A day off has that hour alone. */
export function withHour(day: DaySchedule, hour: number): DaySchedule {
  const from = hour * HOUR;
  if (!day.active) return { active: true, start: from, end: (from + HOUR) % DAY };
  const start = Math.min(day.start, from);
  const end = Math.min(Math.max(endOf(day), from + HOUR), start + DAY);
  return { active: true, start, end: end % DAY };
}

/**
 * Adds an hour of the week to the unsaved changes of the filters, or begins them with it.
 * @throws if the filters can't be loaded
 */
export async function addHourToDraft(queryClient: QueryClient, weekHour: number): Promise<void> {
  const saved = await queryClient.ensureQueryData(filtersQuery);
  restoreDraft();
  const stored = draftStore.get() ?? {
    version: saved.version,
    base: saved.filters,
    draft: toDraft(saved.filters, []),
  };
  const index = Math.floor(weekHour / 24);
  const day = stored.draft.schedule[index];
  if (!day || hasHour(stored.draft.schedule, weekHour)) return;
  saveDraft({ ...stored, draft: withDay(stored.draft, index, withHour(day, weekHour % 24)) });
}
