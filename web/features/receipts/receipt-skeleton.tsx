import { m } from "../../messages/messages.js";
import { Pending } from "../../ui/pending.tsx";
import { Screen } from "../../ui/screen.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

/** While a receipt loads. */
export function ReceiptPending() {
  return (
    <Pending>
      <Screen>
        <output className="mx-auto grid w-full max-w-2xl gap-4">
          <span className="sr-only">{m.loading()}</span>
          <Skeleton className="h-9 w-48" />
          <Skeleton className="h-120" />
        </output>
      </Screen>
    </Pending>
  );
}
