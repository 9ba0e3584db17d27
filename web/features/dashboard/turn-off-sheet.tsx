import { Link } from "@tanstack/react-router";
import { m } from "../../messages/messages.js";
import { Button, buttonClass } from "../../ui/button.tsx";
import { Sheet } from "../../ui/sheet.tsx";

/** Confirms turning off, and suggests disabling days instead. */
export function TurnOffSheet({
  open,
  onClose,
  onTurnOff,
}: {
  open: boolean;
  onClose: () => void;
  onTurnOff: () => void;
}) {
  return (
    <Sheet open={open} onClose={onClose} edge="middle" role="alertdialog" title={m.switch_confirm_title()}>
      <p className="text-soft">{m.switch_confirm_text()}</p>
      <div className="mt-5 grid gap-3">
        <Link to="/flex/filters" hash="week" className={buttonClass("primary")}>
          {m.switch_confirm_days()}
        </Link>
        <Button variant="danger" onClick={onTurnOff}>
          {m.switch_confirm_off()}
        </Button>
        <Button variant="quiet" onClick={onClose}>
          {m.cancel()}
        </Button>
      </div>
    </Sheet>
  );
}
