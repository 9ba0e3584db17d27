import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { formatCountdown } from "./countdown.ts";

/** Sends a step's form. While the platform takes no further try, it says for how long. */
export function SubmitButton({
  waitSeconds,
  isPending,
  name,
  pendingName,
}: {
  waitSeconds: number;
  isPending: boolean;
  name: string;
  pendingName: string;
}) {
  return (
    <Button
      type="submit"
      variant="primary"
      aria-disabled={isPending || waitSeconds > 0}
      className="figures aria-disabled:opacity-55"
    >
      {waitSeconds > 0
        ? m.linking_wait({ left: formatCountdown(waitSeconds) })
        : isPending
          ? pendingName
          : name}
    </Button>
  );
}
