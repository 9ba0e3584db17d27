import { createFileRoute } from "@tanstack/react-router";
import { TableDemo } from "../../features/demo/table-demo.tsx";

export const Route = createFileRoute("/demo/table")({ component: TableDemo });
