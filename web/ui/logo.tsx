/** The product's name and its mark; with `isShortWhenNarrow`, the mark alone where large text leaves no room for the name. */
export function Logo({ name, isShortWhenNarrow = false }: { name: string; isShortWhenNarrow?: boolean }) {
  return (
    <span className="flex items-center gap-2 font-display text-lg leading-none font-bold tracking-tight">
      <svg viewBox="0 0 32 32" aria-hidden className="size-8 shrink-0">
        <rect width="32" height="32" rx="8" fill="oklch(0.215 0.007 250)" />
        <path d="M11 25 14.2 7h3.6L21 25" fill="none" stroke="oklch(0.96 0.003 110)" strokeWidth="2" />
        <path d="M16 9v3m0 3v4m0 3v3" stroke="oklch(0.88 0.2 118)" strokeWidth="2.4" />
      </svg>
      <span className={isShortWhenNarrow ? "hidden @min-[19rem]:inline" : ""}>{name}</span>
    </span>
  );
}
