import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { TitledPage } from "../../ui/titled-page.tsx";

/** A page that shows one piece of the product on made-up data, and says where its code is. */
export function DemoPage({
  title,
  text,
  code,
  children,
}: {
  title: string;
  text: string;
  /** The path of the file, from the root of the project. */
  code: string;
  children: ReactNode;
}) {
  return (
    <TitledPage width="reading" title={title} text={text}>
      <div className="card grid grid-cols-1 gap-4 p-4 sm:p-5">{children}</div>
      <p className="text-sm text-soft">
        {m.demo_code()} <code className="break-all">{code}</code>
      </p>
    </TitledPage>
  );
}
