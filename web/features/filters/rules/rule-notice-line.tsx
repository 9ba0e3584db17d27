import { TriangleAlert } from "lucide-react";
import { m } from "../../../messages/messages.js";
import type { DraftRule } from "../draft.ts";
import { formatList } from "../../language/format.ts";
import { nameOfRule } from "./rule-labels.ts";
import type { RuleNotice } from "./rule-notices.ts";

/** Why a rule takes nothing that wouldn't be taken without it. */
export function RuleNoticeLine({ notice, rule }: { notice: RuleNotice | undefined; rule: DraftRule }) {
  return (
    <output className="flex items-start gap-2 text-sm text-warn empty:hidden">
      {notice && (
        <>
          <TriangleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0" />
          <span>{noticeMessage(notice, rule)}</span>
        </>
      )}
    </output>
  );
}

function noticeMessage(notice: RuleNotice, rule: DraftRule): string {
  if (notice.kind === "never") return m.rule_never();
  const names = formatList(notice.by.map((key) => nameOfRule(rule, key)));
  return notice.by.length === 1 ? m.rule_covered({ name: names }) : m.rule_covered_together({ names });
}
