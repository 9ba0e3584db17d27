import { ArrowDown, ArrowUp, Copy, Trash2 } from "lucide-react";
import { useEffect, useId, useRef, useState, type ReactNode } from "react";
import { MAX_RULE_NAME_LENGTH } from "../../../../db/shapes/work/filters.ts";
import { m } from "../../../messages/messages.js";
import { Button } from "../../../ui/button.tsx";
import { Field, INPUT_CLASS } from "../../../ui/inputs/field.tsx";
import type { DraftExtraRule } from "../draft.ts";
import type { FilterIssues } from "../draft-issues.ts";
import { issueMessage } from "../issue-messages.ts";
import { formatExtraRule } from "../part-labels.ts";
import { RuleFields } from "./rule-fields.tsx";
import { RuleHoursField } from "./rule-hours-field.tsx";
import { ruleName } from "./rule-labels.ts";

/** One further rule: a sentence that opens into its form. */
export function ExtraRuleCard({
  extra,
  index,
  count,
  warehouseId,
  issues,
  currency,
  isOpen,
  takesFocus,
  onToggle,
  onChange,
  onMove,
  onCopy,
  onRemove,
  notice,
}: {
  extra: DraftExtraRule;
  /** Among the further rules, and how many there are. */
  index: number;
  count: number;
  warehouseId: string;
  issues: FilterIssues;
  currency: string;
  isOpen: boolean;
  /** It was just added, or is back. */
  takesFocus: boolean;
  onToggle: (isOpen: boolean) => void;
  onChange: (extra: DraftExtraRule) => void;
  onMove: (by: -1 | 1) => void;
  onCopy: () => void;
  onRemove: () => void;
  notice: ReactNode;
}) {
  const title = useId();
  const place = `${warehouseId}.${extra.ruleId}.`;
  const isInvalid = Object.keys(issues).some((key) => key.startsWith(place));
  const issueFor = (field: string) => issueMessage(issues[`${place}${field}`], currency);
  const name = ruleName(extra, index);
  // A form that opened for its mistake stays open while that is mended, letter by letter.
  const [wasInvalid, setWasInvalid] = useState(isInvalid);
  if (isInvalid && !wasInvalid) setWasInvalid(true);
  const isShown = isOpen || wasInvalid;
  const toggle = () => {
    setWasInvalid(false);
    onToggle(!isShown);
  };
  return (
    <section
      aria-labelledby={title}
      data-testid="extra-rule"
      className="grid gap-4 rounded-field border border-edge p-3"
    >
      <div className="flex flex-wrap items-center justify-end gap-x-3">
        <div className="min-w-0 flex-[1_1_9rem]">
          <h6 id={title} className="font-sans text-base font-semibold wrap-anywhere">
            {name}
          </h6>
          {!isShown && <p className="figures text-sm">{formatExtraRule(extra, currency)}</p>}
        </div>
        {!isInvalid && (
          <Button
            variant="quiet"
            className="-mr-3 shrink-0"
            aria-expanded={isShown}
            aria-label={isShown ? m.rule_close({ name }) : m.rule_edit({ name })}
            onClick={toggle}
          >
            {isShown ? m.warehouse_done() : m.warehouse_edit_short()}
          </Button>
        )}
      </div>
      {notice}
      {isShown && (
        <>
          <NameField
            {...{ extra, name, takesFocus }}
            onChange={(named) => onChange({ ...extra, name: named })}
          />
          <RuleHoursField
            hours={extra.hours}
            onChange={(hours) => onChange({ ...extra, hours })}
            error={issueFor("hours")}
          />
          <RuleFields
            rule={extra}
            onChange={(changed) => onChange({ ...extra, ...changed })}
            issueFor={issueFor}
            currency={currency}
          />
          <RuleActions {...{ name, index, count, onMove, onCopy, onRemove }} />
        </>
      )}
    </section>
  );
}

function NameField({
  extra,
  name,
  takesFocus,
  onChange,
}: {
  extra: DraftExtraRule;
  name: string;
  takesFocus: boolean;
  onChange: (name: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (takesFocus) input.current?.focus();
  }, [takesFocus]);
  return (
    <Field label={m.rule_name()} hint={m.rule_name_hint()}>
      {(wiring) => (
        <input
          {...wiring}
          ref={input}
          autoComplete="off"
          maxLength={MAX_RULE_NAME_LENGTH}
          placeholder={name}
          value={extra.name}
          onChange={(event) => onChange(event.target.value)}
          className={`${INPUT_CLASS} placeholder:text-soft`}
        />
      )}
    </Field>
  );
}

function RuleActions({
  name,
  index,
  count,
  onMove,
  onCopy,
  onRemove,
}: {
  name: string;
  index: number;
  count: number;
  onMove: (by: -1 | 1) => void;
  onCopy: () => void;
  onRemove: () => void;
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-1 gap-y-2 border-t border-line pt-2">
      {count > 1 && (
        <>
          <MoveButton label={m.rule_up({ name })} isAtEnd={index === 0} onMove={() => onMove(-1)}>
            <ArrowUp aria-hidden className="size-4.5" />
          </MoveButton>
          <MoveButton label={m.rule_down({ name })} isAtEnd={index === count - 1} onMove={() => onMove(1)}>
            <ArrowDown aria-hidden className="size-4.5" />
          </MoveButton>
        </>
      )}
      <Button
        variant="quiet"
        className="ml-auto px-2 text-sm"
        aria-label={m.rule_remove_named({ name })}
        onClick={onRemove}
      >
        <Trash2 aria-hidden className="size-4.5" />
        {m.rule_remove()}
      </Button>
      <Button variant="quiet" className="px-2 text-sm" onClick={onCopy}>
        <Copy aria-hidden className="size-4.5" />
        {m.rule_copy()}
      </Button>
    </div>
  );
}

/** Keeps the focus while its rule moves in the document, and at the end too, where it does nothing. */
function MoveButton({
  label,
  isAtEnd,
  onMove,
  children,
}: {
  label: string;
  isAtEnd: boolean;
  onMove: () => void;
  children: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const isMoving = useRef(false);
  useEffect(() => {
    if (isMoving.current) button.current?.focus();
    isMoving.current = false;
  });
  return (
    <button
      ref={button}
      type="button"
      aria-label={label}
      aria-disabled={isAtEnd}
      onClick={() => {
        if (isAtEnd) return;
        isMoving.current = true;
        onMove();
      }}
      className="grid size-11 place-items-center rounded-field border border-edge hover:bg-sunken aria-disabled:opacity-55"
    >
      {children}
    </button>
  );
}
