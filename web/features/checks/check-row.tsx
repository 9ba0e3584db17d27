import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CircleMinus,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import type { CheckState } from "../../../db/shapes/work/checks.ts";
import { m } from "../../messages/messages.js";

/** `off`: nothing that has to be on. */
export type RowState = CheckState | "off" | "checking";

const LOOKS: Record<RowState, { Icon: LucideIcon; colour: string; name: () => string }> = {
  ok: { Icon: CircleCheck, colour: "text-good", name: m.check_state_ok },
  attention: { Icon: CircleAlert, colour: "text-bad", name: m.check_state_attention },
  unknown: { Icon: CircleHelp, colour: "text-soft", name: m.check_state_unknown },
  off: { Icon: CircleMinus, colour: "text-soft", name: m.check_state_off },
  checking: {
    Icon: LoaderCircle,
    colour: "text-soft motion-safe:animate-spin",
    name: m.check_state_checking,
  },
};

/** A line of the list: what it is about, its state in a sentence, and the tap that mends it. */
export function CheckRow({
  subject,
  state,
  text,
  children,
}: {
  subject: string;
  state: RowState;
  text: string;
  children?: ReactNode;
}) {
  const { Icon, colour, name } = LOOKS[state];
  return (
    <li className="flex gap-3 p-4 sm:p-5" data-check-state={state}>
      <Icon aria-hidden className={`mt-0.5 size-6 shrink-0 ${colour}`} />
      <div className="grid min-w-0 flex-1 grid-cols-1 gap-2">
        <div>
          <h2 className="flex flex-wrap items-baseline gap-x-2 text-base">
            {subject}
            <span className={`text-sm font-normal ${state === "attention" ? "text-bad" : "text-soft"}`}>
              {name()}
            </span>
          </h2>
          <p className="figures text-sm text-soft wrap-anywhere">{text}</p>
        </div>
        {children}
      </div>
    </li>
  );
}
