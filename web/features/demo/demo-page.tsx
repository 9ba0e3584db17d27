import type { ReactNode } from "react";
import { TitledPage } from "../../ui/titled-page.tsx";

/** A page that demonstrates one library. */
export function DemoPage({ title, children }: { title: string; children: ReactNode }) {
  return (
    <TitledPage width="reading" title={title}>
      <div className="card grid gap-4 p-5">{children}</div>
    </TitledPage>
  );
}
