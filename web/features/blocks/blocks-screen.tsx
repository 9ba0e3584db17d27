import type { ReactNode } from "react";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import type { BlockTab } from "./block-tab.ts";
import { BlockTabs } from "./block-tabs.tsx";
import { LIST_LABELS } from "./list-labels.ts";

/** The frame around upcoming blocks and the lists of captured, rejected and missed ones. */
export function BlocksScreen({ type, children }: { type: BlockTab; children: ReactNode }) {
  return (
    <Screen title={m.blocks_title()}>
      <BlockTabs />
      <p className="text-soft">{LIST_LABELS[type].text()}</p>
      {children}
    </Screen>
  );
}
