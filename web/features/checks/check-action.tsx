import { Link } from "@tanstack/react-router";
import type { CheckCode } from "../../../db/shapes/work/checks.ts";
import { m } from "../../messages/messages.js";
import { buttonClass } from "../../ui/button.tsx";

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
