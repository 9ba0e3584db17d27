import { Link, useNavigate } from "@tanstack/react-router";
import { toast } from "../../ui/toast.ts";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { useSystemSwitch } from "../live/use-system-switch.ts";
import { errorMessage } from "../language/error-messages.ts";
import { useUser } from "../session/use-user.ts";

/** What comes after a payment: turning it on, where only that is left to do, or else the dashboard. */
export function NextAfterPaying() {
  const { phoneNumber, setupComplete, userDisabled } = useUser();
  const navigate = useNavigate();
  const { mutate, isPending } = useSystemSwitch(phoneNumber);
  if (!setupComplete || userDisabled === 0) {
    return (
      <Link to="/flex/dashboard" className={buttonClass("primary")}>
        {m.pay_to_dashboard()}
      </Link>
    );
  }
  const turnOn = () => {
    if (isPending) return;
    mutate(true, {
      onSuccess: () => void navigate({ to: "/flex/dashboard" }),
      onError: (error) => toast.error(errorMessage(error)),
    });
  };
  return (
    <Button variant="primary" aria-busy={isPending} onClick={turnOn}>
      {isPending ? m.switch_turning_on() : m.pay_turn_on()}
    </Button>
  );
}
