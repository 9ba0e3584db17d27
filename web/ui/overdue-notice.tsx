import type { ReactNode } from "react";
import { m } from "../messages/messages.js";
import { ButtonLink } from "./button.tsx";

/** A card over a screen that takes long, with a way to reload. By style alone it appears after a while. */
export function OverdueNotice({
  className,
  children,
}: {
  className: "overdue-code" | "overdue-data";
  children?: ReactNode;
}) {
  return (
    <div role="alert" className={`overdue ${className}`}>
      <div className="card grid justify-items-start gap-3 p-5">
        {children ?? <p>{m.overdue_text()}</p>}
        <ButtonLink variant="primary" href="">
          {m.crash_reload()}
        </ButtonLink>
      </div>
    </div>
  );
}
