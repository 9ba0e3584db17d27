import type { ReactNode } from "react";
import { ReadingPage } from "../../ui/reading-page.tsx";

/** A small page that shows one library at work. No search engine is to list it. */
export function DemoPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <ReadingPage title={title}>
      <meta name="robots" content="noindex" />
      <div className="card grid gap-4 p-5">{children}</div>
    </ReadingPage>
  );
}
