import type { ReactNode } from "react";
import type { BlockList } from "../../../db/shapes/driver-log.ts";
import { m } from "../../messages/messages.js";
import { Screen } from "../../ui/screen.tsx";
import { BlockTabs } from "./block-tabs.tsx";
import { LIST_LABELS } from "./list-labels.ts";

/** The frame around the lists of captured, rejected and missed blocks. */
export function BlocksScreen({ type, children }: { type: BlockList; children: ReactNode }) {
  return (
    <Screen title={m.blocks_title()}>
      <BlockTabs />
      <p className="text-soft">{LIST_LABELS[type].text()}</p>
      {children}
    </Screen>
  );
}
