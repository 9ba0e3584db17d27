import { bringFonts, withoutFonts } from "./late-fonts.ts";
import { LANGUAGE_COOKIE } from "../../worker/contract/language-cookie.ts";
import { hasStoredSession, pageRoot, paintedAs, WAKE_META } from "./page-root.ts";

/** A visitor's first move. Until then a public page needs no code: its links work without any. */
const FIRST_MOVES = ["pointerdown", "touchstart", "keydown", "focusin", "scroll"] as const;

let hydration: Promise<void> | undefined;
let isHydrated = false;

// Data that the HTML couldn't know is loaded before it comes into view.
const watcher = new IntersectionObserver(
  (entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) hydrate();
  },
  { rootMargin: "50%" },
);
for (const placeholder of pageRoot().querySelectorAll("[data-skeleton]")) watcher.observe(placeholder);
for (const move of FIRST_MOVES) addEventListener(move, hydrate, { once: true, passive: true });
// A pointer that rests where the page is painted says that it moves, too.
addEventListener("pointermove", ({ movementX, movementY }) => {
  if (movementX !== 0 || movementY !== 0) hydrate();
});
openNamedAnswer();
// A button or a form has nothing behind it yet: it is pressed or sent again once it has.
addEventListener("click", (event) => void pressAgain(event), { capture: true });
addEventListener("click", keepLanguage, { capture: true });
addEventListener("submit", (event) => void sendAgain(event), { capture: true });
// The header says who is signed in, and a page that comes back goes on where it was.
if (hasStoredSession() || history.state !== null) hydrate();
// A form is about to be used; what loads for that doesn't delay what is painted.
if (paintedAs(pageRoot()) === "form") oncePainted(hydrate);
oncePainted(() => void bringFonts());

/** Once there is something to see: a slow device paints the background first. */
function oncePainted(callback: () => void): void {
  new PerformanceObserver((painted) => {
    if (painted.getEntriesByName("first-contentful-paint").length > 0) callback();
  }).observe({ type: "paint", buffered: true });
}

/** A form has no address that names its language: a visitor who goes on to one stays in that of the page. */
function keepLanguage({ target }: MouseEvent): void {
  const { lang } = document.documentElement;
  const isNamed = location.pathname.split("/")[1] === lang;
  const isChosen = document.cookie.includes(`${LANGUAGE_COOKIE}=`);
  if (!isNamed || isChosen || !(target instanceof Element && target.closest("a"))) return;
  document.cookie = `${LANGUAGE_COOKIE}=${lang}; path=/`;
}

/** Not every browser opens a question whose answer the address names. */
function openNamedAnswer(): void {
  const answer = document.getElementById(location.hash.slice(1));
  const question = answer?.closest("details");
  if (!answer || !question || question.open) return;
  question.open = true;
  answer.scrollIntoView();
}

function hydrate(): void {
  watcher.disconnect();
  if (hydration) return;
  hydration = load();
  // The next press tries again.
  hydration.catch(() => {
    hydration = undefined;
  });
}

/** All files at once, and not as one after the other names them. The first runs the page, in the styles of all screens. */
async function load(): Promise<void> {
  const named =
    document.querySelector<HTMLMetaElement>(`meta[name="${WAKE_META}"]`)?.content.split(" ") ?? [];
  const loads = named.map((href) => {
    const link = document.createElement("link");
    const isStyle = href.endsWith(".css");
    Object.assign(
      link,
      isStyle
        ? { rel: "stylesheet", media: "not all", fetchPriority: "high", href }
        : { rel: "modulepreload", crossOrigin: "", href },
    );
    document.head.append(link);
    return isStyle && styled(link);
  });
  await Promise.all([import(/* @vite-ignore */ named[0] ?? ""), ...loads]);
  await window.hydratePage?.();
  isHydrated = true;
}

/** Resolves once a stylesheet applies. Without it the page still works. */
async function styled(link: HTMLLinkElement): Promise<void> {
  await new Promise((resolve) => Object.assign(link, { onload: resolve, onerror: resolve }));
  withoutFonts(link);
  link.media = "all";
}

async function pressAgain(event: MouseEvent): Promise<void> {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button") : null;
  if (button) await doAgain(event, () => button.click());
}

async function sendAgain(event: SubmitEvent): Promise<void> {
  const form = event.target instanceof HTMLFormElement ? event.target : null;
  await doAgain(event, () => form?.requestSubmit());
}

async function doAgain(event: Event, action: () => void): Promise<void> {
  if (isHydrated) return;
  event.stopPropagation();
  event.preventDefault();
  hydrate();
  try {
    await hydration;
  } catch {
    return reloadIfServed();
  }
  action();
}

/** A later try finds no file that a deployment took away, nor does Chromium fetch one again that it failed to fetch once. */
async function reloadIfServed(): Promise<void> {
  const response = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  if (response?.ok) location.reload();
}
