import { TriangleAlert } from "lucide-react";
import { m } from "../../../messages/messages.js";
import type { DraftRule } from "../draft.ts";
import { nameOfRule } from "./rule-labels.ts";
import type { RuleNotice } from "./rule-notices.ts";

/** Why a rule takes nothing that wouldn't be taken without it. */
export function RuleNoticeLine({ notice, rule }: { notice: RuleNotice | undefined; rule: DraftRule }) {
  return (
    <output className="flex items-start gap-2 text-sm text-warn empty:hidden">
      {notice && (
        <>
          <TriangleAlert aria-hidden className="mt-0.5 size-4.5 shrink-0" />
          <span>
            {notice.kind === "never" ? m.rule_never() : m.rule_covered({ name: nameOfRule(rule, notice.by) })}
          </span>
        </>
      )}
    </output>
  );
}
