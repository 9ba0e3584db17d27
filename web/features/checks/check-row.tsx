import { Link } from "@tanstack/react-router";
import {
  CircleAlert,
  CircleCheck,
  CircleHelp,
  CircleMinus,
  LoaderCircle,
  type LucideIcon,
} from "lucide-react";
import type { ReactNode } from "react";
import type { CheckState, CheckCode } from "../../../db/shapes/work/checks.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";

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

/** The one tap that mends a line; nothing for a line that needs none, or that is mended on this screen. */
export function CheckAction({ code, isPrimary }: { code: CheckCode; isPrimary: boolean }) {
  const className = buttonClass(isPrimary ? "primary" : "plain", "justify-self-start");
  switch (code) {
    case "link_missing":
    case "link_ended":
      return (
        <Link to="/flex/login" className={className}>
          {m.check_act_link()}
        </Link>
      );
    case "selfie_required":
      return (
        <Link to="/flex/dashboard" className={className}>
          {m.check_act_verify()}
        </Link>
      );
    case "service_over":
    case "service_ends_within":
      return (
        <Link to="/flex/payments" search={{ again: 1 }} className={className}>
          {m.check_act_days()}
        </Link>
      );
    case "service_waiting":
    case "service_paused":
      return (
        <Link to="/flex/payments" className={className}>
          {m.check_act_service()}
        </Link>
      );
    case "switched_off":
      return (
        <Link to="/flex/dashboard" className={className}>
          {m.check_act_switch()}
        </Link>
      );
    case "limit_too_low":
      return (
        <Link to="/flex/filters" hash="limits" className={className}>
          {m.phase_limit_open_action()}
        </Link>
      );
    case "hours_none":
      return (
        <Link to="/flex/filters" className={className}>
          {m.check_act_filters()}
        </Link>
      );
    case "platform_waits":
    case "platform_silent":
    case "platform_unread":
      return (
        <Link to="/health" className={className}>
          {m.check_act_health()}
        </Link>
      );
    case "budget_used_up":
      return (
        <Link to="/flex/dashboard" className={className}>
          {m.check_act_mode()}
        </Link>
      );
    case "texts_unproved":
      return (
        <Link to="/flex/profile" className={className}>
          {m.check_act_number()}
        </Link>
      );
    case "texts_failing":
    case "texts_paused":
    case "texts_stopped":
      return (
        <Link to="/flex/profile" hash="notifications" className={className}>
          {m.check_act_texts()}
        </Link>
      );
    default:
      return null;
  }
}
