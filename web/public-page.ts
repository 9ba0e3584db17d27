import { hasStoredSession, pageRoot } from "./page-root.ts";

/** What a visitor does first. Until then a public page needs no code: its links work without any. */
const FIRST_MOVES = ["pointermove", "pointerdown", "touchstart", "keydown", "focusin", "scroll"] as const;

let hydration: Promise<void> | undefined;
let isHydrated = false;

// What the HTML couldn't know, such as prices, is loaded before it comes into view.
const watcher = new IntersectionObserver(
  (entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) hydrate();
  },
  { rootMargin: "50%" },
);
for (const placeholder of pageRoot().querySelectorAll("[data-skeleton]")) watcher.observe(placeholder);

for (const move of FIRST_MOVES) addEventListener(move, hydrate, { once: true, passive: true });
// A button has nothing behind it yet: it is pressed again once it has.
addEventListener("click", (event) => void pressAgain(event), { capture: true });
// The header says who is signed in, and a page that comes back goes on where it was.
if (hasStoredSession() || history.state !== null) hydrate();

function hydrate(): void {
  watcher.disconnect();
  hydration ??= load();
}

async function load(): Promise<void> {
  const { hydrate: start } = await import("./main.tsx");
  await start(pageRoot());
  isHydrated = true;
}

async function pressAgain(event: MouseEvent): Promise<void> {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button") : null;
  if (isHydrated || !button) return;
  event.stopPropagation();
  hydrate();
  await hydration;
  button.click();
}
