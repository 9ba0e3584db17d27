import type { CalendarBlock } from "../../../db/shapes/work/calendar.ts";
import type { Language } from "../../../db/shapes/language.ts";
import { DAY_MS, hourlyPay, MINUTE_MS, type EpochMs } from "../../../db/shapes/units.ts";
import type { CalendarRead } from "../../../durable/runtime/driver-rpc.ts";
import { toCalendarFile, type CalendarEntry } from "../../../locales/calendar-file.ts";
import { formatMessage } from "../../../locales/format-message.ts";
import { formatHours, formatMoney } from "../../../locales/format.ts";

/** How often a calendar program is asked to look again. */
export const REFRESH_MINUTES = 30;

/** How long a paused address says so. */
const PAUSE_SHOWN_MS = 30 * DAY_MS;

type FeedContext = { product: string; publicUrl: string; now: EpochMs };

/** The file for a calendar program; null for an address that was paused too long ago. */
export function formatCalendar(
  read: Exclude<CalendarRead, { kind: "gone" }>,
  context: FeedContext,
): string | null {
  const { language } = read;
  const { product, publicUrl, now } = context;
  if (read.kind === "paused" && now - read.since > PAUSE_SHOWN_MS) return null;
  const entries =
    read.kind === "paused"
      ? [pausedEntry(read, context)]
      : read.blocks.map((held) => toEntry(held, { language, publicUrl, withPay: read.withPay }));
  const name = formatMessage(language, "calendar_name", { product });
  return toCalendarFile({ product, entries, feed: { name, refreshMinutes: REFRESH_MINUTES } });
}

/** One line today: a calendar that only became empty would look like a week without blocks. */
function pausedEntry(
  { language, since }: Extract<CalendarRead, { kind: "paused" }>,
  { product, publicUrl, now }: FeedContext,
): CalendarEntry {
  const url = `${publicUrl}/flex/profile`;
  return {
    uid: `paused@${new URL(publicUrl).hostname}`,
    stampedAt: since,
    sequence: Math.floor((now - since) / DAY_MS),
    when: { day: new Date(now).toISOString().slice(0, 10) },
    title: formatMessage(language, "calendar_paused_title", { product }),
    text: formatMessage(language, "calendar_paused_text", { url }),
    place: null,
    position: null,
  };
}

function toEntry(
  { block, warehouse, sequence, changedAt }: CalendarBlock,
  { language, publicUrl, withPay }: { language: Language; publicUrl: string; withPay: boolean },
): CalendarEntry {
  const { blockId, startsAt, endsAt, payCents, currency } = block;
  const values = {
    hours: formatHours(language, Math.round((endsAt - startsAt) / MINUTE_MS)),
    pay: formatMoney(language, payCents, currency),
    rate: formatMoney(language, hourlyPay(block), currency),
    url: `${publicUrl}/flex/dashboard`,
  };
  return {
    uid: `${blockId}@${new URL(publicUrl).hostname}`,
    stampedAt: changedAt,
    sequence,
    when: { startsAt, endsAt },
    title: formatMessage(language, "calendar_block_title", {
      where: warehouse?.name ?? formatMessage(language, "warehouse_unnamed"),
    }),
    text: formatMessage(language, withPay ? "calendar_block_text_pay" : "calendar_block_text", values),
    place: warehouse?.address ?? null,
    position: warehouse,
  };
}
