import type { Language } from "../../../db/shapes/language.ts";
import { HOUR_MS, MINUTE_MS } from "../../../db/shapes/units.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatHours, formatMoney, countInputs, formatWeekday } from "../../../locales/format.ts";
import type { FilterChange } from "../../../db/shapes/work/filter-change.ts";
import type { Limit } from "../../../db/shapes/work/filters.ts";
import type { Warehouse } from "../../../db/shapes/work/offer.ts";
import { formatChange } from "../../../locales/filter-change.ts";
import type { DriverNotification, DriverState } from "../../engine/state/types.ts";
import type { PushMessage } from "../../messaging/push.ts";
import { segmentsOf, toPlainCharacters } from "../../texts/segments.ts";

type WeekNotification = Extract<DriverNotification, { kind: "week" }>;
type WeekContext = {
  language: Language;
  productName: string;
  publicUrl: string;
  state: Pick<DriverState, "warehouses">;
};

/**
 * The driver's week as a text message. It names the one change of the filters where one segment has room for it; else
 * the figures come first, and the link leads to the change.
 */
export function weekText(week: WeekNotification, context: WeekContext): string {
  const { language, productName: product, publicUrl } = context;
  const values = { product, ...valuesOf(week, language) };
  const figures = week.beforeCents > 0 ? "text_week" : "text_week_first";
  if (week.best === null)
    return formatMessage(language, figures, { ...values, url: `${publicUrl}${weekPath(week)}` });
  const url = `${publicUrl}/flex/week?try=${week.monday}`;
  const withChange = { ...values, ...gainOf(week, week.best, context), url };
  const [named, short] = isEmpty(week)
    ? ([["text_week_none"], "text_week_none_short"] as const)
    : ([["text_week_change", "text_week_change_short"], figures] as const);
  const texts = named.map((key) => formatMessage(language, key, withChange));
  return texts.find(isOneSegment) ?? formatMessage(language, short, withChange);
}

/** The same as a push message, which opens the change if there is one. */
export function weekPush(
  week: WeekNotification,
  context: WeekContext,
): Pick<PushMessage["data"], "title" | "body" | "url" | "tag"> {
  const { language } = context;
  const { best } = week;
  const before = week.beforeCents > 0 ? "push_week" : "push_week_first";
  const figures = formatMessage(
    language,
    isEmpty(week) ? "push_week_none" : before,
    valuesOf(week, language),
  );
  const title = formatMessage(language, "push_week_title");
  if (best === null) return { title, body: figures, url: weekPath(week), tag: "week" };
  const change = formatMessage(language, "push_week_change", gainOf(week, best, context));
  const url = `/flex/filters?change=${encodeURIComponent(JSON.stringify(best.change))}`;
  return { title, body: `${figures} ${change}`, url, tag: "week" };
}

function weekPath({ monday }: WeekNotification): string {
  return `/flex/week?date=${monday}`;
}

function isOneSegment(text: string): boolean {
  return segmentsOf(toPlainCharacters(text)).segments === 1;
}

function isEmpty({ figures: { captured, worked } }: WeekNotification): boolean {
  return captured.blocks === 0 && worked.blocks === 0;
}

function gainOf(
  { currency }: WeekNotification,
  { change, offers, payCents }: NonNullable<WeekNotification["best"]>,
  { language, state: { warehouses } }: WeekContext,
) {
  return {
    change: changeText(change, { language, warehouses, currency }),
    more: offers,
    money: formatMoney(language, payCents, currency),
  };
}

function valuesOf(
  { figures: { captured, worked }, beforeCents, currency }: WeekNotification,
  language: Language,
) {
  const money = (cents: number) => formatMoney(language, cents, currency);
  const hourly =
    worked.minutes === 0 ? 0 : Math.round((worked.payCents * HOUR_MS) / (worked.minutes * MINUTE_MS));
  return {
    captured: captured.blocks,
    worked: worked.blocks,
    hours: formatHours(language, worked.minutes),
    pay: money(worked.payCents),
    hourly: money(hourly),
    before: money(beforeCents),
  };
}

const LIMIT_NAMES = {
  blocksPerDay: "limit_blocks_day",
  minutesPerDay: "limit_hours_day",
  minutesPerWeek: "limit_hours_week",
  restMinutes: "limit_rest",
  travelMinutes: "limit_travel",
  weekGoalCents: "limit_goal",
} as const satisfies Record<Limit, string>;

/** A change of the filters in the words of its button on the page, for texts and push messages. */
export function changeText(
  change: FilterChange,
  {
    language,
    warehouses,
    currency,
  }: { language: Language; warehouses: readonly Pick<Warehouse, "warehouseId" | "name">[]; currency: string },
): string {
  const money = (cents: number) => formatMoney(language, cents, currency);
  const length = (minutes: number) =>
    formatMessage(language, "unit_hours", { hours: formatHours(language, minutes) });
  const minutes = (count: number) => minutesText(language, count);
  return formatChange(change, {
    say: (message, values) => formatMessage(language, message, values),
    warehouse: (id) =>
      warehouses.find(({ warehouseId }) => warehouseId === id)?.name ??
      formatMessage(language, "warehouse_unnamed"),
    rule: ({ ruleId, name, number }) => {
      if (name !== "") return name;
      return ruleId === null
        ? formatMessage(language, "rule_first")
        : formatMessage(language, "rule_numbered", { number });
    },
    money,
    hourly: (cents) => formatMessage(language, "unit_per_hour", { money: money(cents) }),
    length,
    minutes,
    weekday: (day) => formatWeekday(language, day),
    limitName: (limit) => formatMessage(language, LIMIT_NAMES[limit]),
    limit: (limit, figure) =>
      formatMessage(language, `${LIMIT_NAMES[limit]}_of`, {
        ...countInputs(language, figure),
        hours: length(figure),
        minutes: minutes(figure),
        money: money(figure),
      }),
  });
}

/** A length of whole minutes in words: `45 min`, `3 hr`, `2 hr 10 min`. */
export function minutesText(language: Language, count: number): string {
  const [hours, minutes] = [Math.floor(count / 60), count % 60];
  if (hours === 0) return formatMessage(language, "unit_minutes", { minutes });
  return formatMessage(language, minutes === 0 ? "unit_hours" : "unit_hours_minutes", { hours, minutes });
}
