import type { DaySchedule } from "../../../db/shapes/work/filters.ts";
import { mapWeek, type Draft } from "./draft.ts";

/** Weekdays from 0, Monday. */
export const DAY_PRESETS = {
  all: [0, 1, 2, 3, 4, 5, 6],
  weekdays: [0, 1, 2, 3, 4],
  weekend: [5, 6],
} as const satisfies Record<string, readonly number[]>;
export type DayPreset = keyof typeof DAY_PRESETS;

const HOUR = 60;

/** Hours of a day; the same start and end mean all 24. */
export const HOUR_PRESETS = {
  daytime: { start: 8 * HOUR, end: 18 * HOUR },
  evenings: { start: 17 * HOUR, end: 23 * HOUR },
  whole: { start: 0, end: 0 },
} as const satisfies Record<string, Pick<DaySchedule, "start" | "end">>;
export type HourPreset = keyof typeof HOUR_PRESETS;

/** Works on these days and on no other; each keeps its hours. */
export function withDays(draft: Draft, preset: DayPreset): Draft {
  const days: readonly number[] = DAY_PRESETS[preset];
  return {
    ...draft,
    schedule: mapWeek(draft.schedule, (day, index) => ({ ...day, active: days.includes(index) })),
  };
}

/** These hours on every active day; days off keep theirs. */
export function withHours(draft: Draft, preset: HourPreset): Draft {
  const hours = HOUR_PRESETS[preset];
  return { ...draft, schedule: mapWeek(draft.schedule, (day) => (day.active ? { ...day, ...hours } : day)) };
}

/** The preset that the active days are; null for none. */
export function dayPresetOf({ schedule }: Draft): DayPreset | null {
  const isPreset = (preset: DayPreset) => {
    const days: readonly number[] = DAY_PRESETS[preset];
    return schedule.every((day, index) => day.active === days.includes(index));
  };
  return DAY_PRESET_NAMES.find(isPreset) ?? null;
}

/** The preset that all active days' hours are; null for none. */
export function hourPresetOf({ schedule }: Draft): HourPreset | null {
  const active = schedule.filter((day) => day.active);
  if (active.length === 0) return null;
  const isPreset = (preset: HourPreset) => {
    const { start, end } = HOUR_PRESETS[preset];
    // All 24 hours can begin at any time of the day.
    return active.every((day) =>
      start === end ? day.start === day.end : day.start === start && day.end === end,
    );
  };
  return HOUR_PRESET_NAMES.find(isPreset) ?? null;
}

export const DAY_PRESET_NAMES = ["all", "weekdays", "weekend"] as const satisfies DayPreset[];
export const HOUR_PRESET_NAMES = ["daytime", "evenings", "whole"] as const satisfies HourPreset[];
