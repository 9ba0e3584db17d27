import { m } from "../../messages/messages.js";
import { Button } from "../../ui/button.tsx";
import { sayClock } from "./clock.ts";

/** Sends a step's form. While the platform takes no further try, it says for how long. */
export function SubmitButton({
  wait,
  isPending,
  name,
  pendingName,
}: {
  wait: number;
  isPending: boolean;
  name: string;
  pendingName: string;
}) {
  return (
    <Button
      type="submit"
      look="primary"
      aria-disabled={isPending || wait > 0}
      className="figures aria-disabled:opacity-55"
    >
      {wait > 0 ? m.linking_wait({ left: sayClock(wait) }) : isPending ? pendingName : name}
    </Button>
  );
}
