import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

/** The widths of a row's bars: as texts of a list would be. */
const ROWS = [
  { name: "w-3/5", text: "w-2/5", figure: "w-14" },
  { name: "w-1/2", text: "w-3/5", figure: "w-12" },
  { name: "w-3/4", text: "w-1/3", figure: "w-16" },
  { name: "w-2/5", text: "w-1/2", figure: "w-12" },
];

/**
 * In place of a list with nothing in it: what will be there, and the way to fill it. Where there is room, it has an
 * outline of the rows to come beside it, so that a wide screen isn't an empty room with a column in it.
 */
export function EmptyList({
  Icon,
  title,
  children,
  actions,
}: {
  Icon: LucideIcon;
  title: string;
  children: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className="card @container overflow-hidden" data-testid="empty-list">
      <div className="grid grid-cols-1 @min-[44rem]:grid-cols-2">
        <div className="grid content-center justify-items-center gap-2 px-6 py-10 text-center @min-[44rem]:justify-items-start @min-[44rem]:px-10 @min-[44rem]:py-14 @min-[44rem]:text-left">
          <Icon aria-hidden className="size-8 text-soft" strokeWidth={1.5} />
          <p className="font-display text-lg font-semibold @min-[44rem]:text-xl">{title}</p>
          <p className="max-w-prose text-soft">{children}</p>
          {actions && (
            <div className="mt-3 flex flex-wrap justify-center gap-3 @min-[44rem]:justify-start">
              {actions}
            </div>
          )}
        </div>
        <Outline Icon={Icon} />
      </div>
    </div>
  );
}

/** Rows that fade out, without a word. */
function Outline({ Icon }: { Icon: LucideIcon }) {
  return (
    <div
      aria-hidden
      className="hidden content-center border-l border-line bg-ground px-8 py-8 @min-[44rem]:grid [&>*]:[mask-image:linear-gradient(to_right,black_30%,transparent)]"
    >
      {ROWS.map(({ name, text, figure }) => (
        <div key={name} className="flex items-center gap-4 border-b border-line py-4 last:border-b-0">
          <span className="grid size-9 shrink-0 place-items-center rounded-full bg-sunken text-soft">
            <Icon className="size-4.5" strokeWidth={1.5} />
          </span>
          <span className="grid flex-1 gap-2">
            <span className={`h-2.5 rounded-full bg-line ${name}`} />
            <span className={`h-2 rounded-full bg-sunken ${text}`} />
          </span>
          <span className={`h-2.5 rounded-full bg-line ${figure}`} />
        </div>
      ))}
    </div>
  );
}
