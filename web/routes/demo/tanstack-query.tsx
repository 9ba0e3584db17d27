import { createFileRoute } from "@tanstack/react-router";
import { QueryDemo } from "../../features/demo/query-demo.tsx";

export const Route = createFileRoute("/demo/tanstack-query")({ component: QueryDemo });
