import type { ErrorCode } from "../../../worker/contract/problem.ts";
import { ApiError, codeOf } from "../../api/problem.ts";
import type { LinkingEnd } from "../../api/setup.ts";
import { m } from "../../messages/messages.js";
import { sayProblem } from "../language/problem-words.ts";

export type LinkingWords = { title: string; hint?: string };

type Say = () => string;

/** The steps of linking that can fail, each with its own words. */
const TITLES = {
  credentials: {
    link_credentials_wrong: m.linking_failed,
    link_locked: m.linking_failed,
    rate_limited: m.linking_failed,
  },
  code: {
    link_code_expired: m.linking_setup_failed,
    link_denied: m.linking_setup_failed,
    link_expired: m.linking_setup_failed,
    link_locked: m.linking_setup_failed,
    rate_limited: m.linking_setup_failed,
  },
} satisfies Record<string, Partial<Record<ErrorCode, Say>>>;

/** What a failure of a step is called: what the driver can mend by its step, all else as trouble of ours or the platform's. */
export function explainLinking(step: keyof typeof TITLES, error: unknown): LinkingWords {
  const code = codeOf(error);
  if (code === "unauthenticated") return { title: m.linking_unauthenticated() };
  const titles: Partial<Record<string, Say>> = TITLES[step];
  return { title: (titles[code] ?? m.linking_trouble)(), hint: sayProblem(error) };
}

/** A wrong code, with the tries that are left; `undefined` where the failure is another one. */
export function sayWrongCode(error: unknown): string | undefined {
  if (!(error instanceof ApiError) || error.code !== "link_code_wrong") return undefined;
  const left = error.attemptsLeft;
  if (left === null) return m.problem_link_code_wrong();
  if (left === 0) return m.linking_code_spent();
  return left === 1 ? m.linking_code_wrong_one() : m.linking_code_wrong_other({ count: left });
}

const ENDS = {
  link_denied: m.problem_link_denied,
  link_expired: m.problem_link_expired,
  code_spent: m.linking_code_spent,
} satisfies Record<LinkingEnd, Say>;

/** Why the linking that was under way is over, and that it begins anew. */
export function explainEnd(ended: LinkingEnd): LinkingWords {
  return { title: m.linking_setup_failed(), hint: ENDS[ended]() };
}
