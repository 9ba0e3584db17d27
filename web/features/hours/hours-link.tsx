import { Link } from "@tanstack/react-router";
import { CalendarSearch } from "lucide-react";
import { m } from "../../messages/messages.js";

/** The way to when and where offers show up. */
export function HoursLink() {
  return (
    <Link
      to="/flex/hours"
      className="inline-flex min-h-11 items-center gap-2 justify-self-start text-sm font-semibold underline decoration-line underline-offset-4"
    >
      <CalendarSearch aria-hidden className="size-4.5 shrink-0" />
      {m.hours_link()}
    </Link>
  );
}
