import { MAX_BUFFER_MINUTES, MAX_THRESHOLD_CENTS, MOST_OF_LIMIT } from "../../../db/shapes/work/filters.ts";
import { m } from "../../messages/messages.js";
import { formatCount, formatMoney } from "../language/format.ts";
import { formatTypedFigure } from "../language/typed-figure.ts";
import type { FilterIssue } from "./draft-issues.ts";

/** The message for a field's issue, with the limit that was exceeded. Text that isn't a figure counts as no value. */
export function issueMessage(issue: FilterIssue | undefined, currency: string): string | undefined {
  switch (issue) {
    case undefined:
      return undefined;
    case "required":
      return m.field_amount({ example: formatTypedFigure(22.5) });
    case "min_price_too_small":
      return m.field_min_price_too_small({ figure: formatMoney(0, currency) });
    case "money_too_large":
      return m.field_money_too_large({ figure: formatMoney(MAX_THRESHOLD_CENTS, currency) });
    case "buffer_too_large":
      return m.field_buffer_too_large({ minutes: formatCount(MAX_BUFFER_MINUTES) });
    case "buffer_invalid":
      return m.field_whole_minutes();
    case "no_durations":
    case "no_days":
      return m.field_none_selected();
    case "too_many_dates":
      return m.field_too_large();
    case "blocksPerDay":
    case "restMinutes":
    case "travelMinutes":
      return m.field_whole_between({ least: formatCount(1), most: formatCount(MOST_OF_LIMIT[issue]) });
    case "minutesPerDay":
    case "minutesPerWeek":
      return m.field_between({ least: formatCount(0), most: formatCount(MOST_OF_LIMIT[issue] / 60) });
    case "weekGoalCents":
      return m.field_between({
        least: formatMoney(0, currency),
        most: formatMoney(MOST_OF_LIMIT[issue], currency),
      });
    case "refused":
      return m.field_invalid();
  }
}
