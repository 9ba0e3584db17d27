import { m, "error.not_found.title" as notFoundTitle } from "../../messages/messages.js";

type Screen = {
  /** In the browser's tab. */
  title: () => string;
  /** Whether the breadcrumbs name it, too. */
  hasBreadcrumb?: boolean;
};

const SCREENS: Readonly<Record<string, Screen>> = {
  "/": { title: m.landing_title },
  "/terms": { title: m.nav_terms },
  "/register": { title: m.register_title },
  "/login": { title: m.login_title },
  "/forgot-password": { title: m.forgot_title },
  "/undo": { title: m.undo_title },
  "/q": { title: m.question_page_title },
  "/renewal": { title: m.renew_page_title },
  "/receipts": { title: m.receipts_title },
  "/faqs": { title: m.nav_faqs },
  "/health": { title: m.health_title },
  "/contact": { title: m.nav_contact },
  "/arrived": { title: m.title_arrived },
  "/flex": { title: m.nav_home },
  "/flex/login": { title: m.title_setup },
  "/flex/otp": { title: m.title_setup },
  "/flex/confirmation": { title: m.title_setup },
  "/flex/dashboard": { title: m.nav_home },
  "/flex/blocks": { title: m.nav_blocks, hasBreadcrumb: true },
  "/flex/filters": { title: m.nav_filters, hasBreadcrumb: true },
  "/flex/hours": { title: m.nav_hours, hasBreadcrumb: true },
  "/flex/payments": { title: m.nav_my_payments, hasBreadcrumb: true },
  "/flex/week": { title: m.your_week_title, hasBreadcrumb: true },
  "/flex/checks": { title: m.checks_title, hasBreadcrumb: true },
  "/flex/profile": { title: m.nav_profile, hasBreadcrumb: true },
  "/flex/rewards": { title: m.nav_rewards, hasBreadcrumb: true },
  "/flex/invitations": { title: m.nav_invitations, hasBreadcrumb: true },
};

const RECEIPT: Screen = { title: m.receipt_tab };
const RAFFLE: Screen = { title: m.raffle_title };

function findScreen(pathname: string): Screen | undefined {
  const path = pathname.replace(/(?<=.)\/+$/, "");
  if (path.startsWith("/raffle/")) return RAFFLE;
  return path.startsWith("/flex/receipts/") ? RECEIPT : SCREENS[path];
}

/** Whether there is a screen at a path. */
export function isKnownPath(pathname: string): boolean {
  return findScreen(pathname) !== undefined || pathname.startsWith("/demo/");
}

/** The page's title; the screen comes first, since tabs cut off the end. */
export function pageTitle(pathname: string, product: string): string {
  const demo = pathname.startsWith("/demo/") ? m.title_demo : undefined;
  const title = findScreen(pathname)?.title ?? demo ?? notFoundTitle;
  return `${title()} · ${product}`;
}

/** The current screen's breadcrumb; null where it has none. */
export function breadcrumbOf(pathname: string): string | null {
  const screen = findScreen(pathname);
  return screen?.hasBreadcrumb ? screen.title() : null;
}
