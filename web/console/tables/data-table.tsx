import { useRef, useState, type KeyboardEvent, type ReactNode } from "react";
import { formatCount } from "../../features/language/format.ts";
import { m } from "../messages/messages.js";

export type Column<Row> = {
  id: string;
  title: string;
  renderCell: (row: Row) => ReactNode;
  /** Figures stand to the right. */
  isFigure?: boolean;
  /** Left out where the screen is narrow. */
  isWideOnly?: boolean;
};

/** A table whose rows the arrow keys walk; Home and End go to its first and last. Tab reaches the content of a row. */
export function DataTable<Row>({
  label,
  columns,
  rows,
  rowKey,
  empty,
}: {
  label: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  empty: string;
}) {
  const body = useRef<HTMLTableSectionElement>(null);
  const [current, setCurrent] = useState(0);
  const focused = Math.min(current, rows.length - 1);
  const walk = (event: KeyboardEvent) => {
    const to = { ArrowDown: focused + 1, ArrowUp: focused - 1, Home: 0, End: rows.length - 1 }[event.key];
    if (to === undefined || to < 0 || to >= rows.length) return;
    event.preventDefault();
    setCurrent(to);
    body.current?.rows[to]?.focus();
  };
  if (rows.length === 0) return <p className="px-5 pb-4 text-soft">{empty}</p>;
  return (
    <div className="overflow-x-auto">
      <table className="w-full text-left text-sm" aria-label={label} aria-description={m.table_hint()}>
        <thead>
          <tr className="border-b border-line text-soft">
            {columns.map(({ id, title, isFigure, isWideOnly }) => (
              <th
                key={id}
                scope="col"
                className={`px-2 py-2 font-semibold first:pl-5 last:pr-5 sm:px-3 ${isFigure ? "text-right" : ""} ${isWideOnly ? "max-md:hidden" : ""}`}
              >
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- the keys come up from the rows, which have the focus */}
        <tbody ref={body} onKeyDown={walk} className="divide-y divide-line">
          {rows.map((row, index) => (
            <tr
              key={rowKey(row)}
              // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the arrow keys walk the rows
              tabIndex={index === focused ? 0 : -1}
              onFocus={() => setCurrent(index)}
              className="align-top hover:bg-sunken focus-visible:-outline-offset-2"
            >
              {columns.map(({ id, renderCell, isFigure, isWideOnly }) => (
                <td
                  key={id}
                  className={`px-2 py-2 first:pl-5 last:pr-5 sm:px-3 ${isFigure ? "figures text-right whitespace-nowrap" : ""} ${isWideOnly ? "max-md:hidden" : ""}`}
                >
                  {renderCell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Below a table that goes on, where it ends. */
export function ListEnd({ hasMore, count }: { hasMore: boolean; count: number }) {
  if (!hasMore) return null;
  return (
    <p className="border-t border-line px-5 py-3 text-sm text-soft">
      {m.fleet_more({ count: formatCount(count) })}
    </p>
  );
}

/** A part of a screen: its title, what can be done in it, and its content. */
export function Section({
  title,
  note,
  actions,
  children,
}: {
  title: string;
  note?: string | undefined;
  actions?: ReactNode;
  children: ReactNode;
}) {
  return (
    <section className="card min-w-0 self-start overflow-hidden" aria-label={title}>
      <div className="flex flex-wrap items-center justify-between gap-3 px-5 pt-3 pb-2">
        <div className="min-w-0 flex-1 basis-48">
          <h2 className="text-lg">{title}</h2>
          {note && <p className="text-sm text-soft">{note}</p>}
        </div>
        {actions}
      </div>
      {children}
    </section>
  );
}
