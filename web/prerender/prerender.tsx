import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createMemoryHistory, RouterContextProvider } from "@tanstack/react-router";
import type { ComponentType } from "react";
import { renderToString } from "react-dom/server";
import { sessionStore, type AuthUser } from "../api/session/session.ts";
import { isPublicPath, PRODUCT_PLACEHOLDER, YEAR_PLACEHOLDER } from "../../worker/contract/page-address.ts";
import { pageTitle } from "../features/navigation/screen-titles.ts";
import { changeLocale } from "../features/language/locale.ts";
import type { Locale } from "../messages/runtime.js";
import { Page } from "../page/page.tsx";
import { createPageRouter, type PageRouter } from "../page/router.ts";
import { describePage, structuredDataOf } from "./page-texts.ts";
import type { PaintedAs } from "../early/page-root.ts";
import { DriverFrame } from "../features/shell/driver-frame.tsx";
import { Header } from "../features/shell/header.tsx";
import { m } from "../messages/messages.js";
import { OverdueNotice } from "../ui/overdue-notice.tsx";

/** A page as it is before any code runs. */
export type PrerenderedPage = {
  /** The route's path, such as `/flex/receipts/$payment`; null for the page of an address that no route has. */
  path: string | null;
  /** Whether it is for everybody, and found in each language. */
  isPublic: boolean;
  /** Whether it is all of the screen or only its frame, and when it comes to life. */
  painted: PaintedAs;
  title: string;
  description: string;
  /** In schema.org's terms. */
  structuredData: object[];
  /** The contents of `#root`. */
  html: string;
};

/** Forms for visitors, who may type while their code is on the way. */
const VISITOR_FORMS = ["/login", "/register", "/forgot-password"];

/** Framed inside another screen, which has the shell already. */
const BARE_PATH = "/arrived";

/** Somebody who is signed in, for the frame of their screens. */
const ANY_DRIVER: AuthUser = {
  username: "",
  phoneNumber: null,
  phoneNumberVerified: true,
  accessToken: "",
  idToken: "",
  idTokenExp: 0,
  refreshToken: null,
};

/** Renders every page in a language: the public ones whole, of the others the frame and the shape of what comes. */
export async function prerenderPages(locale: Locale): Promise<PrerenderedPage[]> {
  changeLocale(locale);
  const pages: PrerenderedPage[] = [];
  for (const path of listPaths()) pages.push(await prerenderPage(path));
  return [...pages, await prerenderPage(null)];
}

/** The paths of the screens, without the layouts around them. */
function listPaths(): string[] {
  const { router } = createPage("/");
  const paths = Object.values(router.routesById)
    .filter((route) => !route.isRoot)
    .map(({ fullPath }) => fullPath.replace(/(?<=.)\/$/, ""));
  return [...new Set(paths)];
}

async function prerenderPage(path: string | null): Promise<PrerenderedPage> {
  const isPublic = path !== null && isPublicPath(path);
  const isForm = path !== null && VISITOR_FORMS.includes(path);
  const painted = isPublic ? "asleep" : isForm ? "form" : path === null ? "whole" : "frame";
  sessionStore.setState(() => (path?.startsWith("/flex") ? ANY_DRIVER : null));
  const address = path ?? "/404";
  const { router, queryClient } = createPage(address);
  if (painted !== "frame") await router.load();
  const page =
    painted === "frame" ? (
      <QueryClientProvider client={queryClient}>
        <ScreenFrame router={router} Skeleton={skeletonOf(router, address)} />
      </QueryClientProvider>
    ) : (
      <Page router={router} queryClient={queryClient} />
    );
  const overdue = painted === "frame" || painted === "form" ? renderToString(<CodeOverdue />) : "";
  return {
    path,
    isPublic,
    painted,
    title: pageTitle(address, PRODUCT_PLACEHOLDER),
    description: describePage(path),
    structuredData: structuredDataOf(path),
    html: path === BARE_PATH ? "" : withoutYear(renderToString(page)) + overdue,
  };
}

/** A page is served for longer than the year of its build lasts. */
function withoutYear(html: string): string {
  const rights = (year: number | string) => m.footer_rights({ year, product: PRODUCT_PLACEHOLDER });
  return html.replaceAll(rights(new Date().getFullYear()), rights(YEAR_PLACEHOLDER));
}

/** The screen while it loads. */
function skeletonOf(router: PageRouter, address: string): ComponentType | undefined {
  const screens = Object.values(router.routesById).filter(
    ({ isRoot, fullPath }) =>
      !isRoot && fullPath !== "/flex" && address.startsWith(fullPath.replace(/\/$/, "")),
  );
  return screens
    .map(({ options }) => options.pendingComponent)
    .findLast((component) => component !== undefined);
}

function createPage(address: string): { router: PageRouter; queryClient: QueryClient } {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const history = createMemoryHistory({ initialEntries: [address.replaceAll("$", "")] });
  return { router: createPageRouter(queryClient, history), queryClient };
}

/** Its code may also not run at all, in a browser that is too old. */
function CodeOverdue() {
  return (
    <OverdueNotice className="overdue-code">
      <p className="in-good-browsers">{m.overdue_text()}</p>
      <p className="in-old-browsers">{m.browser_old()}</p>
    </OverdueNotice>
  );
}

/** The frame of a screen, and the shape of its content. It is replaced as a whole once the page's code has loaded. */
function ScreenFrame({ router, Skeleton }: { router: PageRouter; Skeleton?: ComponentType }) {
  const isDriverScreen = Boolean(sessionStore.get());
  return (
    <RouterContextProvider router={router}>
      <Header onLanding={false} hasSideRail={isDriverScreen} />
      {isDriverScreen && <DriverFrame>{Skeleton && <Skeleton />}</DriverFrame>}
    </RouterContextProvider>
  );
}
