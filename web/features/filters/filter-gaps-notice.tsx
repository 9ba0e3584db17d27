import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import { findFilterGaps } from "../../../db/shapes/work/filter-completeness.ts";
import { warehousesQuery } from "../../api/queries/filters.ts";
import { m } from "../../messages/messages.js";
import { Banner } from "../../ui/banner.tsx";
import type { Draft } from "./draft.ts";
import { gapMessages } from "./gap-messages.ts";

/** What is missing from filters that no block can fit. Before a warehouse is selected the screen itself says so. */
export function FilterGapsNotice({ draft }: { draft: Draft }) {
  const listed = useQuery(warehousesQuery).data?.warehouses.map(({ warehouseId }) => warehouseId);
  const gaps = findFilterGaps(draft, listed?.length ? new Set(listed) : null);
  if (Object.keys(gaps).length === 0 || "warehouses" in gaps) return null;
  return (
    <Banner Icon={TriangleAlert}>
      <span className="block font-semibold">{m.filters_gap_title()}</span>
      {gapMessages(gaps)}
    </Banner>
  );
}
