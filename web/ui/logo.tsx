const NAME_CLASSES = { "19rem": "hidden @min-[19rem]:inline", "26rem": "hidden @min-[26rem]:inline" };

/** The product's name and its mark; in a narrower container than `shortBelow`, the mark alone. */
export function Logo({ name, shortBelow }: { name: string; shortBelow?: keyof typeof NAME_CLASSES }) {
  return (
    <span className="flex items-center gap-2 font-display text-lg leading-none font-bold tracking-tight">
      <svg viewBox="0 0 32 32" aria-hidden className="size-8 shrink-0">
        <rect width="32" height="32" rx="8" fill="oklch(0.215 0.007 250)" />
        <path d="M11 25 14.2 7h3.6L21 25" fill="none" stroke="oklch(0.96 0.003 110)" strokeWidth="2" />
        <path d="M16 9v3m0 3v4m0 3v3" stroke="oklch(0.88 0.2 118)" strokeWidth="2.4" />
      </svg>
      <span className={shortBelow ? NAME_CLASSES[shortBelow] : ""}>{name}</span>
    </span>
  );
}
