import { m } from "../messages/messages.js";
import { ButtonLink } from "../ui/button.tsx";

/** Appears by style alone where the page's code has not come after a while, or can't be loaded at all. */
export function OverdueNotice() {
  return (
    <div className="overdue fixed inset-x-4 top-20 z-50 mx-auto max-w-md">
      <div className="card grid justify-items-start gap-3 p-5">
        <p>{m.overdue_text()}</p>
        <ButtonLink variant="primary" href="">
          {m.crash_reload()}
        </ButtonLink>
      </div>
    </div>
  );
}
