import { Plus, TriangleAlert } from "lucide-react";
import { useMemo, useState } from "react";
import { m } from "../../../messages/messages.js";
import { Button } from "../../../ui/button.tsx";
import { toast } from "../../../ui/toast.ts";
import { countInputs, formatCount, formatList } from "../../language/format.ts";
import type { DraftExtraRule, DraftRule } from "../draft.ts";
import type { DraftEditing } from "../draft-issues.ts";
import { RemovedLine } from "../removed-line.tsx";
import { ExtraRuleCard } from "./extra-rule-card.tsx";
import {
  addRule,
  canAddRule,
  canRestoreRule,
  changeRule,
  copyExtraRule,
  insertRule,
  moveRule,
  removeRule,
} from "./extra-rules.ts";
import { ruleName, nameOfRule } from "./rule-labels.ts";
import { findRuleNotices, FIRST, type RuleNotice } from "./rule-notices.ts";

type Removed = { extra: DraftExtraRule; index: number };

/** The rules of a warehouse beside the first, which is the form above them. Any that lets an offer through is enough. */
export function ExtraRules({ rule, draft, onChange, issues, currency }: DraftEditing & { rule: DraftRule }) {
  const [openId, setOpenId] = useState<string | null>(null);
  const [addedId, setAddedId] = useState<string | null>(null);
  const [removed, setRemoved] = useState<Removed | null>(null);
  const [announced, setAnnounced] = useState("");
  const notices = useMemo(() => findRuleNotices(draft, rule), [draft, rule]);
  const add = () => {
    const ruleId = crypto.randomUUID().slice(0, 8);
    setRemoved(null);
    setOpenId(ruleId);
    setAddedId(ruleId);
    onChange(addRule(draft, rule, ruleId));
  };
  const remove = (removing: Removed) => {
    setAddedId(null);
    setRemoved(removing);
    onChange(removeRule(draft, rule, removing.extra.ruleId));
  };
  const restore = ({ extra, index }: Removed) => {
    setRemoved(null);
    setOpenId(extra.ruleId);
    setAddedId(extra.ruleId);
    onChange(insertRule(draft, { rule, extra, index }));
  };
  const move = (extra: DraftExtraRule, { index, by }: { index: number; by: -1 | 1 }) => {
    onChange(moveRule(draft, rule, { ruleId: extra.ruleId, by }));
    const position = formatCount(index + by + 2);
    const count = formatCount(rule.extraRules.length + 1);
    setAnnounced(m.rule_moved({ name: ruleName(extra, index), position, count }));
  };
  const copy = (extra: DraftExtraRule) => {
    const { draft: next, copies, full } = copyExtraRule(draft, rule, extra);
    if (copies > 0) onChange(next);
    const told = copies > 0 && m.rule_copied(countInputs(copies));
    const refused = full > 0 && m.rule_copy_full(countInputs(full));
    toast([told, refused].filter(Boolean).join(" ") || m.rule_copy_none());
  };
  return (
    <div className="grid gap-3 border-t border-line pt-4">
      <RuleNoticeLine notice={notices.get(FIRST)} rule={rule} />
      {rule.extraRules.length > 0 && (
        <div>
          <h5 className="font-sans text-base font-semibold">{m.rules_title()}</h5>
          <p className="text-sm text-soft">{m.rules_text()}</p>
        </div>
      )}
      <ol className="grid gap-2 empty:hidden">
        {rule.extraRules.map((extra, index) => (
          <li key={extra.ruleId}>
            <ExtraRuleCard
              {...{ extra, index, issues, currency }}
              warehouseId={rule.warehouseId}
              count={rule.extraRules.length}
              isOpen={openId === extra.ruleId}
              takesFocus={addedId === extra.ruleId}
              onToggle={(isOpen) => {
                setAddedId(null);
                setOpenId((open) => (isOpen ? extra.ruleId : open === extra.ruleId ? null : open));
              }}
              onChange={(changed) => onChange(changeRule(draft, rule, changed))}
              onMove={(by) => move(extra, { index, by })}
              onCopy={() => copy(extra)}
              onRemove={() => remove({ extra, index })}
              notice={<RuleNoticeLine notice={notices.get(extra.ruleId)} rule={rule} />}
            />
          </li>
        ))}
      </ol>
      <output className="sr-only">{announced}</output>
      {removed && canRestoreRule(rule, removed.extra) && (
        <RemovedLine
          key={removed.extra.ruleId}
          text={m.rule_removed({ name: ruleName(removed.extra, removed.index) })}
          onUndo={() => restore(removed)}
        />
      )}
      {canAddRule(rule) ? (
        <Button variant="quiet" className="-ml-4 justify-self-start" onClick={add}>
          <Plus aria-hidden className="size-4.5" />
          {m.rule_add()}
        </Button>
      ) : (
        <p className="text-sm text-soft">{m.rules_full()}</p>
      )}
    </div>
  );
}

/** Says why a rule adds nothing to what the others take. */
function RuleNoticeLine({ notice, rule }: { notice: RuleNotice | undefined; rule: DraftRule }) {
  return (
    <output className="flex items-start gap-2 text-sm text-warn empty:sr-only">
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
