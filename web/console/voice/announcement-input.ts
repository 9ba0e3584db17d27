import type { Audience } from "../../../db/shapes/announcement.ts";
import { LANGUAGES, type Language } from "../../../db/shapes/language.ts";
import { recordOf } from "../../../db/shapes/record-of.ts";
import type { DeploymentAct } from "../../../worker/contract/console/operator-acts.ts";
import { parseLocalTime } from "../forms/deployment-forms.ts";
import { parseReason } from "../forms/typed-values.ts";

export type AnnouncementInput = Record<Language, string> & {
  audience: Audience["kind"];
  /** The city or the language that was chosen; empty for none. */
  audienceOf: string;
  from: string;
  to: string;
  reason: string;
};
export type AnnouncementIssues = Partial<Record<Language | "audienceOf" | "from" | "to" | "reason", true>>;

/** The announcement that a form describes, or what is wrong with it. */
export function parseAnnouncement(
  input: AnnouncementInput,
  now: number,
): { act: DeploymentAct } | { issues: AnnouncementIssues } {
  const { audience, from, to } = input;
  const [startsAt, endsAt] = [parseLocalTime(from), parseLocalTime(to)];
  const reason = parseReason(input.reason);
  const issues: AnnouncementIssues = {};
  for (const name of LANGUAGES) if (input[name].trim() === "") issues[name] = true;
  if (audience !== "all" && input.audienceOf === "") issues.audienceOf = true;
  if (startsAt === null) issues.from = true;
  if (endsAt === null || endsAt <= Math.max(startsAt ?? 0, now)) issues.to = true;
  if (reason === null) issues.reason = true;
  if (startsAt === null || endsAt === null || reason === null || Object.keys(issues).length > 0)
    return { issues };
  return {
    act: {
      act: "announce",
      ...recordOf(LANGUAGES, (language) => input[language].trim()),
      audience,
      audienceOf: audience === "all" ? null : input.audienceOf,
      startsAt,
      endsAt,
      reason,
    },
  };
}
